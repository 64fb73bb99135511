// C = A * B of 128 x 128, f32: a tile of 64 x 64 for each block of 256 threads, 16 deep in shared
// memory, 4 x 4 elements for each thread.
!global = memref<128x128xf32>
!a_tile = memref<16x68xf32, #gpu.address_space<workgroup>>
!b_tile = memref<16x64xf32, #gpu.address_space<workgroup>>
#row = affine_map<(t, i) -> ((t + 256 * i) floordiv 16)>
#column = affine_map<(t, i) -> ((t + 256 * i) mod 16)>
#wide_row = affine_map<(t, i) -> ((t + 256 * i) floordiv 64)>
#wide_column = affine_map<(t, i) -> ((t + 256 * i) mod 64)>
gpu.module @k {
  gpu.func @sgemm(%a: !global, %b: !global, %c: !global)
      workgroup(%as: !a_tile, %bs: !b_tile) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = arith.remui %t, %c16 : index
    %ty = arith.divui %t, %c16 : index
    %m0 = arith.muli %by, %c64 : index
    %n0 = arith.muli %bx, %c64 : index
    %tm = arith.muli %ty, %c4 : index
    %tn = arith.muli %tx, %c4 : index
    %sum:4 = scf.for %k0 = %c0 to %c128 step %c16
        iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
      scf.for %i = %c0 to %c4 step %c1 {
        %r = affine.apply #row(%t, %i)
        %q = affine.apply #column(%t, %i)
        %m = arith.addi %m0, %r : index
        %k = arith.addi %k0, %q : index
        %v = memref.load %a[%m, %k] : !global
        memref.store %v, %as[%q, %r] : !a_tile
        %u = affine.apply #wide_row(%t, %i)
        %w = affine.apply #wide_column(%t, %i)
        %n = arith.addi %n0, %w : index
        %l = arith.addi %k0, %u : index
        %x = memref.load %b[%l, %n] : !global
        memref.store %x, %bs[%u, %w] : !b_tile
      }
      gpu.barrier
      %p:4 = scf.for %k = %c0 to %c16 step %c1
          iter_args(%p0 = %s0, %p1 = %s1, %p2 = %s2, %p3 = %s3)
          -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
        %va = vector.load %as[%k, %tm] {alignment = 16 : i64} : !a_tile, vector<4xf32>
        %vb = vector.load %bs[%k, %tn] {alignment = 16 : i64} : !b_tile, vector<4xf32>
        %e0 = vector.extract %va[0] : f32 from vector<4xf32>
        %e1 = vector.extract %va[1] : f32 from vector<4xf32>
        %e2 = vector.extract %va[2] : f32 from vector<4xf32>
        %e3 = vector.extract %va[3] : f32 from vector<4xf32>
        %b0 = vector.broadcast %e0 : f32 to vector<4xf32>
        %b1 = vector.broadcast %e1 : f32 to vector<4xf32>
        %b2 = vector.broadcast %e2 : f32 to vector<4xf32>
        %b3 = vector.broadcast %e3 : f32 to vector<4xf32>
        %f0 = vector.fma %b0, %vb, %p0 : vector<4xf32>
        %f1 = vector.fma %b1, %vb, %p1 : vector<4xf32>
        %f2 = vector.fma %b2, %vb, %p2 : vector<4xf32>
        %f3 = vector.fma %b3, %vb, %p3 : vector<4xf32>
        scf.yield %f0, %f1, %f2, %f3
            : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
      }
      gpu.barrier
      scf.yield %p#0, %p#1, %p#2, %p#3
          : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
    }
    %m = arith.addi %m0, %tm : index
    %n = arith.addi %n0, %tn : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %m1 = arith.addi %m, %c1 : index
    %m2 = arith.addi %m, %c2 : index
    %m3 = arith.addi %m, %c3 : index
    vector.store %sum#0, %c[%m, %n] : !global, vector<4xf32>
    vector.store %sum#1, %c[%m1, %n] : !global, vector<4xf32>
    vector.store %sum#2, %c[%m2, %n] : !global, vector<4xf32>
    vector.store %sum#3, %c[%m3, %n] : !global, vector<4xf32>
    gpu.return
  }
}
