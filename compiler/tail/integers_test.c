// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tails' arithmetic on whole numbers, against C: every pair of bytes, every pair of bits, and
// the ends of the wide types. A tail is part of what says what is right.
#include "compiler/tail/tail_testing.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

typedef struct row {
  const char *name;
  const char *body;                        // computes %r of %a and %b; TYPE stands for their type
  wide (*right)(wide a, wide b, int bits); // NONE where the operation is undefined
} row;

#define NONE ((wide)1 << 100)
#define LEAST(bits) (-((wide)1 << ((bits) - 1)))
#define UNSIGNED(x, bits) ((unsigned_wide)(x) & (((unsigned_wide)1 << (bits)) - 1))

static bool traps(wide a, wide b, int bits) {
  return b == 0 || (a == LEAST(bits) && b == -1);
}
static wide quotient(wide a, wide b, int bits) {
  return traps(a, b, bits) ? NONE : a / b;
}
static wide remainder_of(wide a, wide b, int bits) {
  return traps(a, b, bits) ? NONE : a % b;
}
static wide ceiling(wide a, wide b, int bits) {
  return traps(a, b, bits) ? NONE : a / b + (a % b != 0 && (a < 0) == (b < 0));
}
static wide floor_of(wide a, wide b, int bits) {
  return traps(a, b, bits) ? NONE : a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static wide unsigned_ceiling(wide a, wide b, int bits) {
  unsigned_wide x = UNSIGNED(a, bits), y = UNSIGNED(b, bits);
  return y == 0 ? NONE : (wide)(x / y + (x % y != 0));
}
static wide unsigned_quotient(wide a, wide b, int bits) {
  return b == 0 ? NONE : (wide)(UNSIGNED(a, bits) / UNSIGNED(b, bits));
}
static wide unsigned_remainder(wide a, wide b, int bits) {
  return b == 0 ? NONE : (wide)(UNSIGNED(a, bits) % UNSIGNED(b, bits));
}
static wide signed_high(wide a, wide b, int bits) {
  return (a * b) >> bits;
}
static wide unsigned_high(wide a, wide b, int bits) {
  return (wide)((UNSIGNED(a, bits) * UNSIGNED(b, bits)) >> bits);
}
static wide carry(wide a, wide b, int bits) {
  return -(wide)((UNSIGNED(a, bits) + UNSIGNED(b, bits)) >> bits);
}
static wide product(wide a, wide b, int bits) {
  (void)bits;
  return a * b;
}
static wide largest(wide a, wide b, int bits) {
  (void)bits;
  return a > b ? a : b;
}
static wide unsigned_smallest(wide a, wide b, int bits) {
  unsigned_wide x = UNSIGNED(a, bits), y = UNSIGNED(b, bits);
  return (wide)(x < y ? x : y);
}
static wide shifted_left(wide a, wide b, int bits) {
  unsigned_wide by = UNSIGNED(b, bits);
  return by >= (unsigned_wide)bits ? NONE : (wide)((unsigned_wide)a << by);
}
static wide shifted_right(wide a, wide b, int bits) {
  unsigned_wide by = UNSIGNED(b, bits);
  return by >= (unsigned_wide)bits ? NONE : a >> by;
}
static wide leading_zeros(wide a, wide b, int bits) {
  (void)b;
  int count = 0;
  while (count < bits && (a >> (bits - 1 - count) & 1) == 0)
    count++;
  return count;
}
static wide trailing_zeros(wide a, wide b, int bits) {
  (void)b;
  int count = 0;
  while (count < bits && (a >> count & 1) == 0)
    count++;
  return count;
}
static wide ones(wide a, wide b, int bits) {
  (void)b;
  int count = 0;
  for (int i = 0; i < bits; i++)
    count += (int)(a >> i & 1);
  return count;
}
static wide absolute(wide a, wide b, int bits) {
  (void)b;
  (void)bits;
  return a < 0 ? -a : a;
}
static wide power(wide a, wide b, int bits) {
  if (b < 0)
    return a == 0 ? NONE : a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
  uint64_t result = 1, factor = (uint64_t)a;
  for (; b > 0; b /= 2, factor *= factor)
    if (b % 2 != 0)
      result *= factor;
  (void)bits;
  return (wide)result;
}
static wide through_float(wide a, wide b, int bits) {
  (void)b;
  (void)bits;
  return a;
}
static wide through_unsigned_float(wide a, wide b, int bits) {
  (void)b;
  return (wide)UNSIGNED(a, bits);
}
static wide less(wide a, wide b, int bits) {
  (void)bits;
  return -(wide)(a < b);
}

static wide negative(wide a, wide b, int bits) {
  (void)b;
  (void)bits;
  return -(wide)(a < 0);
}

#define BINARY(op) "%r = " op " %a, %b : TYPE"
// %r: all bits set where %o is, else none.
#define MASK                                                                                       \
  "%m1 = arith.constant -1 : TYPE\n%z0 = arith.subi %m1, %m1 : TYPE\n"                             \
  "%r = arith.select %o, %m1, %z0 : TYPE"
#define UNARY(op) "%r = " op " %a : TYPE"

static const row rows[] = {
    {"ceildivsi", BINARY("arith.ceildivsi"), ceiling},
    {"floordivsi", BINARY("arith.floordivsi"), floor_of},
    {"ceildivui", BINARY("arith.ceildivui"), unsigned_ceiling},
    {"divsi", BINARY("arith.divsi"), quotient},
    {"remsi", BINARY("arith.remsi"), remainder_of},
    {"divui", BINARY("arith.divui"), unsigned_quotient},
    {"remui", BINARY("arith.remui"), unsigned_remainder},
    {"muli", BINARY("arith.muli"), product},
    {"mulsi_extended low", "%r, %h = arith.mulsi_extended %a, %b : TYPE", product},
    {"mulsi_extended high", "%l, %r = arith.mulsi_extended %a, %b : TYPE", signed_high},
    {"mului_extended high", "%l, %r = arith.mului_extended %a, %b : TYPE", unsigned_high},
    {"addui_extended", "%l, %o = arith.addui_extended %a, %b : TYPE, i1\n" MASK, carry},
    {"maxsi", BINARY("arith.maxsi"), largest},
    {"minui", BINARY("arith.minui"), unsigned_smallest},
    {"shli", BINARY("arith.shli"), shifted_left},
    {"shrsi", BINARY("arith.shrsi"), shifted_right},
    {"cmpi", "%o = arith.cmpi slt, %a, %b : TYPE\n" MASK, less},
    {"ctlz", UNARY("math.ctlz"), leading_zeros},
    {"cttz", UNARY("math.cttz"), trailing_zeros},
    {"ctpop", UNARY("math.ctpop"), ones},
    {"absi", UNARY("math.absi"), absolute},
    {"ipowi", BINARY("math.ipowi"), power},
    {"sitofp", "%f = arith.sitofp %a : TYPE to f32\n%r = arith.fptosi %f : f32 to TYPE",
     through_float},
    {"uitofp", "%f = arith.uitofp %a : TYPE to f32\n%r = arith.fptoui %f : f32 to TYPE",
     through_unsigned_float},
    {"index_cast",
     "%i = arith.index_cast %a : TYPE to index\n"
     "%r = arith.index_cast %i : index to TYPE",
     through_float},
    {"sign of an index",
     "%i = arith.index_cast %a : TYPE to index\n%c = arith.constant 0 : index\n"
     "%o = arith.cmpi slt, %i, %c : index\n" MASK,
     negative},
    {"index.ceildivs",
     "%x = index.casts %a : TYPE to index\n%y = index.casts %b : TYPE to index\n"
     "%q = index.ceildivs %x, %y\n%r = index.casts %q : index to TYPE",
     ceiling},
    {"index.floordivs",
     "%x = index.casts %a : TYPE to index\n%y = index.casts %b : TYPE to index\n"
     "%q = index.floordivs %x, %y\n%r = index.casts %q : index to TYPE",
     floor_of},
    {"index.ceildivu",
     "%x = index.castu %a : TYPE to index\n%y = index.castu %b : TYPE to index\n"
     "%q = index.ceildivu %x, %y\n%r = index.castu %q : index to TYPE",
     unsigned_ceiling},
    {"on vectors",
     "%v = vector.broadcast %a : TYPE to vector<3xTYPE>\n"
     "%w = vector.broadcast %b : TYPE to vector<3xTYPE>\n"
     "%q = arith.floordivsi %v, %w : vector<3xTYPE>\n%r = vector.extract %q[1] : TYPE from "
     "vector<3xTYPE>",
     floor_of},
    {"ceildivsi on vectors",
     "%v = vector.broadcast %a : TYPE to vector<3xTYPE>\n"
     "%w = vector.broadcast %b : TYPE to vector<3xTYPE>\n"
     "%q = arith.ceildivsi %v, %w : vector<3xTYPE>\n%r = vector.extract %q[1] : TYPE from "
     "vector<3xTYPE>",
     ceiling},
};

// The body with its type put in.
static const char *spell(const char *body, const char *type) {
  static char text[4096];
  size_t length = 0;
  for (const char *at = body; *at != '\0';) {
    bool is_type = strncmp(at, "TYPE", 4) == 0;
    length += (size_t)sprintf(text + length, "%.*s", is_type ? 8 : 1, is_type ? type : at);
    at += is_type ? 4 : 1;
  }
  return text;
}

static void store(unsigned char *out, int64_t i, wide value, int bits) {
  uint64_t kept = (uint64_t)UNSIGNED(value, bits);
  int bytes = bits == 1 ? 1 : bits / 8;
  memcpy(out + i * bytes, &kept, (size_t)bytes);
}

// Operands of `bits` bits: all of them, or those near the ends and the middle.
static int list_operands(int bits, wide *out) {
  int count = 0;
  if (bits <= 8) {
    for (wide x = LEAST(bits); x <= -LEAST(bits) - 1; x++)
      out[count++] = x;
    return count;
  }
  static const int near[] = {0, 1, 2, 3, 7, 10, 1000};
  for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
    out[count++] = LEAST(bits) + near[i];
    out[count++] = -LEAST(bits) - 1 - near[i];
    out[count++] = near[i];
    out[count++] = -near[i];
  }
  return count;
}

static const char *program_of(const row *what, const char *type) {
  static char source[8192];
  snprintf(source, sizeof source,
           "func.func private @f(%%a: %s, %%b: %s) -> %s {\n%s\nreturn %%r : %s\n}\n"
           "func.func @main(%%x: memref<?x%s>, %%y: memref<?x%s>, %%z: memref<?x%s>) {\n"
           "%%c0 = arith.constant 0 : index\n%%c1 = arith.constant 1 : index\n"
           "%%n = memref.dim %%x, %%c0 : memref<?x%s>\nscf.for %%i = %%c0 to %%n step %%c1 {\n"
           "%%a = memref.load %%x[%%i] : memref<?x%s>\n%%b = memref.load %%y[%%i] : memref<?x%s>\n"
           "%%r = func.call @f(%%a, %%b) : (%s, %s) -> %s\n"
           "memref.store %%r, %%z[%%i] : memref<?x%s>\n}\nreturn\n}\n",
           type, type, type, spell(what->body, type), type, type, type, type, type, type, type,
           type, type, type, type);
  return source;
}

// All pairs (a, b) for which the operation is defined, in one run.
static void check(const row *what, int bits, assay_tail tail) {
  static unsigned char a[1 << 16], b[1 << 16], right[1 << 16];
  wide operands[256];
  int64_t count = 0;
  int operand_count = list_operands(bits, operands), bytes = bits == 1 ? 1 : bits / 8;
  for (int i = 0; i < operand_count * operand_count; i++) {
    wide x = operands[i / operand_count], y = operands[i % operand_count];
    wide r = what->right(x, y, bits);
    if (r == NONE)
      continue;
    store(a, count, x, bits);
    store(b, count, y, bits);
    store(right, count++, r, bits);
  }
  char type[8];
  snprintf(type, sizeof type, "i%d", bits);
  assay_tail_input inputs[] = {{.data = a, .rank = 1, .dim = {count}},
                               {.data = b, .rank = 1, .dim = {count}},
                               {.data = a, .rank = 1, .dim = {count}}};
  testing_request request = {
      .source = program_of(what, type), .tail = tail, .inputs = inputs, .input_count = 3};
  const assay_observation *seen = testing_see(&request);
  assert_int_equal(seen->count, 3);
  for (int64_t i = 0; i < count; i++) {
    int64_t x = 0, y = 0, got = 0, wanted = 0;
    memcpy(&x, a + i * bytes, (size_t)bytes);
    memcpy(&y, b + i * bytes, (size_t)bytes);
    memcpy(&got, (unsigned char *)seen->items[2].data + i * bytes, (size_t)bytes);
    memcpy(&wanted, right + i * bytes, (size_t)bytes);
    if (got != wanted)
      fail_msg("%s, i%d, tail %d: %" PRIx64 ", %" PRIx64 " gives %" PRIx64 ", not %" PRIx64,
               what->name, bits, tail, (uint64_t)x, (uint64_t)y, (uint64_t)got, (uint64_t)wanted);
  }
}

static void test_row(void **state) {
  const row *what = *state;
  static const int widths[] = {1, 8, 16, 32, 64};
  for (int tail = 0; tail < ASSAY_TAIL_COUNT; tail++)
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
      // Only small numbers pass through a float unchanged.
      if (widths[i] <= 16 || strstr(what->body, "f32") == NULL)
        check(what, widths[i], (assay_tail)tail);
}

int main(void) {
  enum { COUNT = sizeof rows / sizeof *rows };
  struct CMUnitTest tests[COUNT];
  for (int i = 0; i < COUNT; i++)
    tests[i] = (struct CMUnitTest){
        .name = rows[i].name, .test_func = test_row, .initial_state = (void *)(uintptr_t)&rows[i]};
  return cmocka_run_group_tests(tests, testing_open, testing_close);
}
