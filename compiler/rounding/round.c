// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/rounding/round.h"

#include <mlir-c/BuiltinTypes.h>
#include <stddef.h>
#include <stdint.h>

// What a type narrower than f64 keeps of it.
typedef struct narrow_format {
  bool (*is)(MlirType);
  int dropped;     // low bits of an f64's fraction that the type has no room for
  double smallest; // normal number
  double largest;
  bool gradual;    // numbers below the smallest normal one are rounded at random too: f16 needs it
  int hash_rounds; // f32 uses the high bits of the hash only, where one round is enough
} narrow_format;

static const narrow_format formats[] = {
    {mlirTypeIsAF32, 29, 0x1p-126, 0x1.fffffep127, false, 1},
    {mlirTypeIsAF16, 42, 0x1p-14, 65504, true, 2},
    {mlirTypeIsABF16, 45, 0x1p-126, 0x1.fep127, true, 2},
};

static const narrow_format *format_of(MlirType element) {
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
    if (formats[i].is(element))
      return &formats[i];
  return NULL;
}

bool assay_round_knows(MlirType element) {
  return mlirTypeIsAF64(element) || format_of(element) != NULL;
}

static MlirValue bits_of(const assay_round *it, MlirValue real) {
  return assay_lanes_unary(&it->lanes, "bitcast", assay_lanes_i64(&it->lanes), real);
}

static MlirValue from_bits(const assay_round *it, MlirValue bits) {
  return assay_lanes_unary(&it->lanes, "bitcast", assay_lanes_f64(&it->lanes), bits);
}

static MlirValue absolute(const assay_round *it, MlirValue real) {
  return assay_lanes_unary(&it->lanes, "intr.fabs", assay_lanes_f64(&it->lanes), real);
}

static MlirValue fold(const assay_round *it, MlirValue bits) {
  MlirValue high = assay_lanes_binary(&it->lanes, "lshr", bits, assay_lanes_whole(&it->lanes, 32));
  return assay_lanes_binary(&it->lanes, "xor", bits, high);
}

// Random bits that depend on the exact result and the seed alone. Two rounds
// are the mixer known as degski64, with its multiplier.
static MlirValue hash(const assay_round *it, MlirValue bits, int rounds) {
  MlirValue seed = assay_lanes_splat(&it->lanes, it->seed);
  MlirValue mixed = assay_lanes_binary(&it->lanes, "xor", bits, seed);
  MlirValue factor = assay_lanes_whole(&it->lanes, UINT64_C(0xd6e8feb86659fd93));
  for (int i = 0; i < rounds; i++)
    mixed = assay_lanes_binary(&it->lanes, "mul", fold(it, mixed), factor);
  return rounds == 1 ? mixed : fold(it, mixed);
}

static assay_lanes scalars(const assay_round *it) {
  return (assay_lanes){.builder = it->lanes.builder};
}

static MlirValue is_sampling(const assay_round *it) {
  const assay_lanes scalar = scalars(it);
  MlirValue zero = assay_lanes_whole(&scalar, 0);
  MlirValue sampling = assay_lanes_compare(&scalar, "icmp", ASSAY_ICMP_NE, it->seed, zero);
  return assay_lanes_splat(&it->lanes, sampling);
}

// Where the random bits begin that are added below the unit: `dropped` of them make one unit.
static MlirValue noise_shift(const assay_round *it, int dropped) {
  const assay_lanes scalar = scalars(it);
  MlirValue shift = assay_lanes_binary(
      &scalar, "sub", assay_lanes_whole(&scalar, (uint64_t)(64 - dropped)), it->spread);
  return assay_lanes_splat(&it->lanes, shift);
}

// The amplitude in units, an i64.
static MlirValue amplitude(const assay_round *it) {
  const assay_lanes scalar = scalars(it);
  MlirValue one = assay_lanes_whole(&scalar, 1);
  MlirValue twice = assay_lanes_binary(&scalar, "shl", one, it->spread);
  return assay_lanes_binary(&scalar, "lshr", twice, one);
}

// What centres the noise: without amplitude it is within [0, 1) unit, which truncation then makes a
// choice between neighbours; with amplitude A it must be within [-A + 1/2, A + 1/2).
static MlirValue noise_offset(const assay_round *it, int dropped) {
  const assay_lanes scalar = scalars(it);
  MlirValue zero = assay_lanes_whole(&scalar, 0);
  MlirValue half = assay_lanes_whole(&scalar, UINT64_C(1) << (dropped - 1));
  MlirValue low = assay_lanes_binary(&scalar, "shl", amplitude(it),
                                     assay_lanes_whole(&scalar, (uint64_t)dropped));
  MlirValue centred = assay_lanes_binary(&scalar, "sub", half, low);
  MlirValue amplified = assay_lanes_compare(&scalar, "icmp", ASSAY_ICMP_NE, it->spread, zero);
  return assay_lanes_splat(&it->lanes, assay_lanes_select(&scalar, amplified, centred, zero));
}

// To bf16 by its bits, which are the upper half of an f32's: to nearest, and NaN stays NaN.
static MlirValue to_bf16(const assay_round *it, MlirValue f32) {
  const assay_lanes *lanes = &it->lanes;
  MlirContext context = lanes->builder.context;
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  MlirValue bits = assay_lanes_unary(lanes, "bitcast", assay_lanes_type(lanes, i32), f32);
  MlirValue sixteen = assay_lanes_integer(lanes, i32, 16);
  MlirValue odd = assay_lanes_and(lanes, assay_lanes_binary(lanes, "lshr", bits, sixteen),
                                  assay_lanes_integer(lanes, i32, 1));
  MlirValue up = assay_lanes_binary(lanes, "add", odd, assay_lanes_integer(lanes, i32, 0x7fff));
  MlirValue nearest = assay_lanes_binary(lanes, "add", bits, up);
  MlirValue quiet =
      assay_lanes_binary(lanes, "or", bits, assay_lanes_integer(lanes, i32, 0x400000));
  MlirValue number = assay_lanes_compare(lanes, "fcmp", ASSAY_FCMP_OEQ, f32, f32);
  MlirValue chosen = assay_lanes_select(lanes, number, nearest, quiet);
  MlirValue high = assay_lanes_binary(lanes, "lshr", chosen, sixteen);
  MlirType i16 = assay_lanes_type(lanes, mlirIntegerTypeGet(context, 16));
  MlirValue half = assay_lanes_unary(lanes, "trunc", i16, high);
  return assay_lanes_unary(lanes, "bitcast", assay_lanes_type(lanes, it->element), half);
}

// Of an f64 that the type holds (or to nearest, where it does not). By way of f32, for which every
// processor has an instruction.
static MlirValue convert(const assay_round *it, MlirValue wide) {
  const assay_lanes *lanes = &it->lanes;
  MlirType type = assay_lanes_type(lanes, it->element);
  MlirType f32 = assay_lanes_type(lanes, mlirF32TypeGet(lanes->builder.context));
  MlirValue single = assay_lanes_unary(lanes, "fptrunc", f32, wide);
  if (mlirTypeIsABF16(it->element))
    return to_bf16(it, single);
  return mlirTypeIsAF16(it->element) ? assay_lanes_unary(lanes, "fptrunc", type, single) : single;
}

// Which lanes are rounded at random: those with something below the unit, when a sample is taken.
// An overflow is rounded to nearest; a NaN compares false.
static MlirValue is_disturbed(const assay_round *it, const narrow_format *format, MlirValue size,
                              MlirValue low, MlirValue inexact) {
  const assay_lanes *lanes = &it->lanes;
  MlirValue disturbed =
      assay_lanes_compare(lanes, "icmp", ASSAY_ICMP_NE, low, assay_lanes_whole(lanes, 0));
  if (!mlirValueIsNull(inexact))
    disturbed = assay_lanes_binary(lanes, "or", disturbed, inexact);
  MlirValue finite = assay_lanes_compare(lanes, "fcmp", ASSAY_FCMP_OLT, size,
                                         assay_lanes_real(lanes, format->largest));
  disturbed = assay_lanes_and(lanes, disturbed, finite);
  return assay_lanes_and(lanes, disturbed, is_sampling(it));
}

MlirValue assay_round_narrow(const assay_round *it, MlirValue wide, MlirValue inexact) {
  const assay_lanes *lanes = &it->lanes;
  const narrow_format *format = format_of(it->element);
  MlirValue size = absolute(it, wide), shifted = wide, shift = {NULL};
  MlirValue random = hash(it, bits_of(it, wide), format->hash_rounds);
  if (format->gradual) {
    // A subnormal number plus the smallest normal one has the unit that the subnormal one has.
    MlirValue smallest = assay_lanes_real(lanes, format->smallest);
    MlirValue below = assay_lanes_compare(lanes, "fcmp", ASSAY_FCMP_OLT, size, smallest);
    shift = assay_lanes_select(lanes, below, smallest, assay_lanes_real(lanes, 0));
    shift = assay_lanes_binary(lanes, "intr.copysign", shift, wide);
    shifted = assay_lanes_binary(lanes, "fadd", wide, shift);
  }
  uint64_t mask = (UINT64_C(1) << format->dropped) - 1;
  MlirValue bits = bits_of(it, shifted);
  MlirValue noise = assay_lanes_binary(lanes, "lshr", random, noise_shift(it, format->dropped));
  noise = assay_lanes_binary(lanes, "add", noise, noise_offset(it, format->dropped));
  MlirValue moved = assay_lanes_and(lanes, assay_lanes_binary(lanes, "add", bits, noise),
                                    assay_lanes_whole(lanes, ~mask));
  MlirValue low = assay_lanes_and(lanes, bits, assay_lanes_whole(lanes, mask));
  MlirValue disturbed = is_disturbed(it, format, size, low, inexact);
  MlirValue rounded = from_bits(it, assay_lanes_select(lanes, disturbed, moved, bits));
  if (format->gradual) {
    rounded = assay_lanes_binary(lanes, "fsub", rounded, shift);
    rounded = assay_lanes_binary(lanes, "intr.copysign", rounded, wide);
  }
  // Without a sample the number itself is converted: the shift might have rounded it.
  return convert(it,
                 format->gradual ? assay_lanes_select(lanes, disturbed, rounded, wide) : rounded);
}

// A uniform number in [0, 1) of the upper 52 of random bits.
static MlirValue uniform(const assay_round *it, MlirValue random) {
  const assay_lanes *lanes = &it->lanes;
  MlirValue fraction = assay_lanes_binary(lanes, "lshr", random, assay_lanes_whole(lanes, 12));
  MlirValue one = assay_lanes_real(lanes, 1);
  MlirValue bits = assay_lanes_binary(lanes, "or", fraction, bits_of(it, one));
  return assay_lanes_binary(lanes, "fsub", from_bits(it, bits), one);
}

// Whole units in [-A, A), of the lower 12 random bits; 0 without amplitude.
static MlirValue whole_noise(const assay_round *it, MlirValue random) {
  const assay_lanes *lanes = &it->lanes, scalar = scalars(it);
  MlirValue size = amplitude(it);
  MlirValue twice = assay_lanes_binary(&scalar, "add", size, size);
  MlirValue low = assay_lanes_and(lanes, random, assay_lanes_whole(lanes, 0xfff));
  MlirValue product = assay_lanes_binary(lanes, "mul", low, assay_lanes_splat(lanes, twice));
  MlirValue noise = assay_lanes_binary(lanes, "lshr", product, assay_lanes_whole(lanes, 12));
  return assay_lanes_binary(lanes, "sub", noise, assay_lanes_splat(lanes, size));
}

// Lanes whose neighbours are ordinary numbers, when a sample is taken.
static MlirValue is_ordinary(const assay_round *it, MlirValue nearest) {
  const assay_lanes *lanes = &it->lanes;
  MlirValue size = absolute(it, nearest);
  MlirValue above =
      assay_lanes_compare(lanes, "fcmp", ASSAY_FCMP_OGE, size, assay_lanes_real(lanes, 0x1p-1022));
  MlirValue below =
      assay_lanes_compare(lanes, "fcmp", ASSAY_FCMP_OLT, size, assay_lanes_real(lanes, 0x1p1023));
  return assay_lanes_and(lanes, assay_lanes_and(lanes, above, below), is_sampling(it));
}

// The bits of the neighbour on the side of what was lost.
static MlirValue neighbour_of(const assay_round *it, MlirValue bits, MlirValue lost) {
  const assay_lanes *lanes = &it->lanes;
  MlirValue positive =
      assay_lanes_compare(lanes, "fcmp", ASSAY_FCMP_OGT, lost, assay_lanes_real(lanes, 0));
  MlirValue negative =
      assay_lanes_compare(lanes, "icmp", ASSAY_ICMP_SLT, bits, assay_lanes_whole(lanes, 0));
  MlirValue away = assay_lanes_binary(lanes, "xor", positive, negative);
  MlirValue step = assay_lanes_select(lanes, away, assay_lanes_whole(lanes, 1),
                                      assay_lanes_whole(lanes, UINT64_MAX));
  return assay_lanes_binary(lanes, "add", bits, step);
}

MlirValue assay_round_pair(const assay_round *it, MlirValue nearest, MlirValue lost,
                           MlirValue inexact) {
  const assay_lanes *lanes = &it->lanes;
  MlirValue bits = bits_of(it, nearest), ordinary = is_ordinary(it, nearest);
  MlirValue golden = assay_lanes_whole(lanes, UINT64_C(0x9e3779b97f4a7c15));
  MlirValue spread_lost = assay_lanes_binary(lanes, "mul", bits_of(it, lost), golden);
  MlirValue random = hash(it, assay_lanes_binary(lanes, "xor", bits, spread_lost), 2);
  MlirValue neighbour = neighbour_of(it, bits, lost);
  MlirValue gap =
      absolute(it, assay_lanes_binary(lanes, "fsub", from_bits(it, neighbour), nearest));
  MlirValue threshold = assay_lanes_binary(lanes, "fmul", uniform(it, random), gap);
  MlirValue moves =
      assay_lanes_compare(lanes, "fcmp", ASSAY_FCMP_OLT, threshold, absolute(it, lost));
  MlirValue rounded = assay_lanes_select(lanes, moves, neighbour, bits);
  rounded = assay_lanes_binary(lanes, "add", rounded, whole_noise(it, random));
  MlirValue disturbed =
      assay_lanes_compare(lanes, "fcmp", ASSAY_FCMP_ONE, lost, assay_lanes_real(lanes, 0));
  if (!mlirValueIsNull(inexact))
    disturbed = assay_lanes_binary(lanes, "or", disturbed, inexact);
  disturbed = assay_lanes_and(lanes, disturbed, ordinary);
  return assay_lanes_select(lanes, disturbed, from_bits(it, rounded), nearest);
}
