// A contract of a pass that nobody knows is an error, which names the nearest.
// RUN: %not %opt %s --canonicalize --nan-contract=canonicalise:error 2>&1 | %FileCheck %s
// RUN: %opt %s --load-pass-plugin=%faults --nan-contract=assay-fault-none:error -o /dev/null
// CHECK: assay: error: --nan-contract: unknown pass 'canonicalise'; did you mean 'canonicalize'?

func.func @main() {
  return
}
