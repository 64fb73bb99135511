// Each invocation appends one line, good or bad.
// RUN: rm -f %t
// RUN: %opt %s --cse --canonicalize --ledger=%t -o /dev/null
// RUN: %not %opt %s --ledger=%t --nan-contract=error -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(func.func(canonicalize),cse)' 2>/dev/null
// RUN: %opt %s --split-input-file --cse --ledger=%t -o /dev/null
// RUN: %FileCheck %s < %t
// RUN: %not %opt %s --ledger=/nowhere/file -o /dev/null 2>&1 | %FileCheck %s --check-prefix=NOWHERE
// NOWHERE: assay: error: cannot write '/nowhere/file': No such file or directory

// CHECK: {"failed":null,"first_bad":null,"input":"{{.*}}ledger.mlir","passes":[
// CHECK-SAME: {"anchor":"builtin.module","changed":false,"class":null,"depth":0,
// CHECK-SAME: "failed":false,"n":1,"name":"cse","nan_added":[],
// CHECK-SAME: {"anchor":"builtin.module","changed":true,{{.*}}"n":2,"name":"canonicalize",
// CHECK-SAME: "nan_added":[{"bits":"0x7FC00000","location":"{{.*}}ledger.mlir:[[#]]:[[#]]",
// CHECK-SAME: "op":"arith.constant","origin":"folded","type":"f32"}]
// CHECK-SAME: "ops_after":{"arith.constant":1,
// CHECK-SAME: "ops_before":{"arith.constant":1,"arith.divf":1,
// CHECK-SAME: "pipeline":"builtin.module(cse,canonicalize{{.*}}","succeeded":true}
// CHECK-NEXT: "first_bad":{"class":"nan-attribute","n":1,"name":"canonicalize"}
// CHECK-SAME: "passes":[{"anchor":"func.func",
// CHECK-SAME: "symbol":"main"
// CHECK-SAME: "succeeded":false}
// CHECK-NEXT: "pieces":[{{.*}}"succeeded":true}

func.func @main() -> f32 {
  %zero = arith.constant 0.0 : f32
  %0 = arith.divf %zero, %zero : f32
  return %0 : f32
}

// -----

func.func @other() {
  return
}
