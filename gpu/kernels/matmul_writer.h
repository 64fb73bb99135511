// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing a matmul kernel: names of constants, and the parts around the computation itself.
#ifndef ASSAY_GPU_KERNELS_MATMUL_WRITER_H
#define ASSAY_GPU_KERNELS_MATMUL_WRITER_H

#include "gpu/kernels/matmul_kernel.h"

enum { ASSAY_MATMUL_MAX_CONSTANTS = 256 };

// An operand on its way to shared memory. x is its axis along C: m of A, n of B.
typedef struct assay_matmul_load {
  char letter; // 'A' or 'B', of the argument; the shared tile is "%As"
  const assay_matmul_view *view;
  int64_t extent; // of x
  int tile_x;     // elements of the tile along x
  int padded;     // elements between two k in shared memory
  bool k_last;    // the memref is indexed [x, k], else [k, x]
  bool lanes_k;   // neighbouring threads take neighbouring k, else neighbouring x
  int width;      // elements that a thread loads at once
  int count;      // such loads of a thread
} assay_matmul_load;

typedef struct assay_matmul_writer {
  assay_arena *arena;
  const assay_matmul_product *product;
  const assay_matmul_tile *tile;
  int tile_m, tile_n, threads;
  int vector;          // elements of 16 bytes
  const char *element; // "f32"
  bool tf32;           // elements are rounded on their way to shared memory
  assay_matmul_load a, b;
  assay_text body;
  int fresh; // names given by assay_matmul_fresh
  int constant_count;
  int64_t constants[ASSAY_MATMUL_MAX_CONSTANTS];
} assay_matmul_writer;

assay_matmul_writer assay_matmul_writer_make(assay_arena *arena,
                                             const assay_matmul_product *product,
                                             const assay_matmul_tile *tile, bool tf32);
// Places are computed in 32 bits, with no overflow, and become indices where memory is accessed:
// pointers are 64 bits wide, and so would the registers be that hold places.
//
// "%c12", an i32.
const char *assay_matmul_constant(assay_matmul_writer *w, int64_t value);
// "%NAME = LEFT OP RIGHT": arith.OP of i32.
void assay_matmul_index(assay_matmul_writer *w, const char *name, const char *operation,
                        const char *left, const char *right);
// "%v7", a name that was not yet given.
const char *assay_matmul_fresh(assay_matmul_writer *w);
// "[%v3, %v4, %v5]", the indices of i32 values; NULL ones are left out.
const char *assay_matmul_at(assay_matmul_writer *w, const char *first, const char *second,
                            const char *third);

// Where the block and its threads stand: %batch, %m0, %n0 (of C's tile), %tid, %warp, %lane,
// %warp_m, %warp_n, %split.
void assay_matmul_write_places(assay_matmul_writer *w);
// What does not change along K of how a tile is loaded.
void assay_matmul_write_load_places(assay_matmul_writer *w, const assay_matmul_load *load);
// Loads the tile that starts at K index `k` to registers, whose names start with prefix.
void assay_matmul_write_loads(assay_matmul_writer *w, const assay_matmul_load *load,
                              const char *prefix, const char *k);
// Stores them to one of the two shared tiles.
void assay_matmul_write_shared(assay_matmul_writer *w, const assay_matmul_load *load,
                               const char *prefix, const char *buffer);
const char *assay_matmul_shared_type(const assay_matmul_writer *w, const assay_matmul_load *load);
// In tf32's shared tiles x ^ this stands for x, so that a warp's stores that go along K use each
// bank once, as its reads do.
int assay_matmul_exchange(int k);
// The loop over K around one step. sums: count names without %, of type sum_type, that start as
// %zero_sum and are %total#I after it; step writes the computation on tiles [%cur] from "%NAME"
// to "%NAME_next".
typedef void assay_matmul_step(assay_matmul_writer *w);
void assay_matmul_write_loop(assay_matmul_writer *w, int count, const char *sum_type,
                             assay_matmul_step *step);
// Stores a value, of one element or a vector of width, to C, or adds it to what is there.
void assay_matmul_write_store(assay_matmul_writer *w, int width, const char *value, const char *row,
                              const char *column);
// "if (index < extent) {", where tiles go over that edge of C at all: false, and nothing, where
// not.
bool assay_matmul_open_guard(assay_matmul_writer *w, const char *index, int64_t extent, int tile);
void assay_matmul_close_guard(assay_matmul_writer *w, bool opened);
// The function around what was written. extra: (optional) one more shared buffer's type, %Rs.
const char *assay_matmul_finish(assay_matmul_writer *w, const char *name, const char *extra);

#endif
