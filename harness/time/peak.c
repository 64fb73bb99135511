// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/time/peak.h"
#include "compiler/base/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum {
  CHAINS = 12,     // independent sums: latency of an FMA times those that start in a cycle
  TRIES = 64,      // the machine is seldom idle for long
  FEW_TRIES = 16,  // of the memory, which take longer
  STEPS = 1 << 18, // of each chain in a try: a millisecond
};

// As wide as the widest registers; narrower ones take it in parts.
typedef float floats __attribute__((vector_size(64)));
typedef double doubles __attribute__((vector_size(64)));

#define INLINE static inline __attribute__((always_inline))

// Each chain's numbers go to a fixed point, so that none becomes subnormal or infinite.
INLINE float sum_floats(void) {
  floats chain[CHAINS], factor = (floats){0} + 0.5F, term = (floats){0} + 1.0F, total = {0};
  for (int i = 0; i < CHAINS; i++)
    chain[i] = (floats){0} + (float)i;
  for (int step = 0; step < STEPS; step++)
    for (int i = 0; i < CHAINS; i++)
      chain[i] = chain[i] * factor + term;
  for (int i = 0; i < CHAINS; i++)
    total += chain[i];
  return total[0];
}

INLINE double sum_doubles(void) {
  doubles chain[CHAINS], factor = (doubles){0} + 0.5, term = (doubles){0} + 1.0, total = {0};
  for (int i = 0; i < CHAINS; i++)
    chain[i] = (doubles){0} + (double)i;
  for (int step = 0; step < STEPS; step++)
    for (int i = 0; i < CHAINS; i++)
      chain[i] = chain[i] * factor + term;
  for (int i = 0; i < CHAINS; i++)
    total += chain[i];
  return total[0];
}

enum { FLOATS = sizeof(floats) / sizeof(float), DOUBLES = sizeof(doubles) / sizeof(double) };

static const double flop_f32 = 2.0 * STEPS * CHAINS * FLOATS;
static const double flop_f64 = 2.0 * STEPS * CHAINS * DOUBLES;

#if defined(__x86_64__)
__attribute__((target("avx512f,prefer-vector-width=512"))) static double f32_by_avx512(void) {
  return (double)sum_floats();
}
__attribute__((target("avx512f,prefer-vector-width=512"))) static double f64_by_avx512(void) {
  return sum_doubles();
}
__attribute__((target("avx2,fma"))) static double f32_by_avx2(void) {
  return (double)sum_floats();
}
__attribute__((target("avx2,fma"))) static double f64_by_avx2(void) {
  return sum_doubles();
}
#endif

static double f32_by_default(void) {
  return (double)sum_floats();
}

static double f64_by_default(void) {
  return sum_doubles();
}

typedef double kernel(void);

static kernel *choose(bool wide) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return wide ? f64_by_avx512 : f32_by_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return wide ? f64_by_avx2 : f32_by_avx2;
#endif
  return wide ? f64_by_default : f32_by_default;
}

// One thread's part of a measurement: all begin together.
typedef struct part {
  pthread_barrier_t *start;
  const volatile sig_atomic_t *stop;
  bool *ends; // before each try the first thread tells the others whether it is still wanted
  bool leads;
  kernel *compute; // or NULL: a triad
  double *a, *b, *c;
  size_t count;
  int tries;
  double began[TRIES], ended[TRIES];
  double kept; // the results, which nobody may optimise away
} part;

static void triad(part *it) {
  double *restrict a = it->a;
  const double *restrict b = it->b, *restrict c = it->c;
  for (size_t i = 0; i < it->count; i++)
    a[i] = b[i] + 3.0 * c[i];
  it->kept += a[it->count / 2];
}

static void *work(void *argument) {
  part *it = argument;
  for (int i = 0; i < it->tries; i++) {
    if (it->leads)
      it->ends[i] = *it->stop != 0;
    pthread_barrier_wait(it->start);
    if (it->ends[i])
      break;
    it->began[i] = assay_clock_now();
    if (it->compute != NULL)
      it->kept += it->compute();
    else
      triad(it);
    it->ended[i] = assay_clock_now();
  }
  return NULL;
}

// Seconds of the best try, from the first thread's begin to the last one's end.
static double best_of(const part parts[], int threads) {
  double best = 0;
  for (int i = 0; i < parts[0].tries; i++) {
    double began = parts[0].began[i], ended = parts[0].ended[i];
    for (int t = 1; t < threads; t++) {
      began = parts[t].began[i] < began ? parts[t].began[i] : began;
      ended = parts[t].ended[i] > ended ? parts[t].ended[i] : ended;
    }
    if (i == 0 || ended - began < best)
      best = ended - began;
  }
  return best;
}

static double run_parts(part parts[], int threads, const volatile sig_atomic_t *stop) {
  pthread_barrier_t start;
  bool ends[TRIES];
  pthread_t *others = calloc((size_t)threads, sizeof *others);
  if (others == NULL || pthread_barrier_init(&start, NULL, (unsigned)threads) != 0)
    abort();
  for (int t = 0; t < threads; t++) {
    parts[t].start = &start;
    parts[t].stop = stop;
    parts[t].ends = ends;
    parts[t].leads = t == 0;
  }
  for (int t = 1; t < threads; t++)
    if (pthread_create(&others[t], NULL, work, &parts[t]) != 0)
      abort();
  work(&parts[0]);
  for (int t = 1; t < threads; t++)
    pthread_join(others[t], NULL);
  pthread_barrier_destroy(&start);
  free(others);
  return best_of(parts, threads);
}

static void *take(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory == NULL)
    abort();
  return memory;
}

// Bytes of the largest cache; 32 MiB where the system does not tell.
static size_t cache_size(void) {
  long size = -1;
#ifdef _SC_LEVEL3_CACHE_SIZE
  size = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
  return size > 0 ? (size_t)size : (size_t)32 << 20;
}

static double measure_memory(part parts[], int threads, const volatile sig_atomic_t *stop) {
  enum { LEAST = 16 << 20, MOST = 128 << 20 }; // bytes of each array
  size_t bytes = cache_size() * 2;
  bytes = bytes < LEAST ? LEAST : bytes > MOST ? MOST : bytes;
  size_t count = bytes / sizeof(double) / (size_t)threads;
  for (int t = 0; t < threads; t++) {
    parts[t] = (part){.a = take(count, sizeof(double)),
                      .b = take(count, sizeof(double)),
                      .c = take(count, sizeof(double)),
                      .count = count,
                      .tries = FEW_TRIES};
    for (size_t i = 0; i < count; i++)
      parts[t].b[i] = parts[t].c[i] = (double)i; // or all would be one page of zeros
  }
  double seconds = run_parts(parts, threads, stop);
  for (int t = 0; t < threads; t++) {
    free(parts[t].a);
    free(parts[t].b);
    free(parts[t].c);
  }
  return 3.0 * sizeof(double) * (double)count * threads / seconds / 1e9;
}

static double measure_flops(part parts[], int threads, bool wide,
                            const volatile sig_atomic_t *stop) {
  for (int t = 0; t < threads; t++)
    parts[t] = (part){.compute = choose(wide), .tries = TRIES};
  double seconds = run_parts(parts, threads, stop);
  return (wide ? flop_f64 : flop_f32) * threads / seconds / 1e9;
}

bool assay_peak_measure(int threads, const volatile sig_atomic_t *stop, assay_peak *out_peak) {
  part *parts = take((size_t)threads, sizeof *parts);
  *out_peak = (assay_peak){.gflops_f32 = measure_flops(parts, threads, false, stop)};
  if (*stop == 0)
    out_peak->gflops_f64 = measure_flops(parts, threads, true, stop);
  if (*stop == 0)
    out_peak->gbs = measure_memory(parts, threads, stop);
  free(parts);
  bool whole = *stop == 0;
  if (!whole)
    *out_peak = (assay_peak){0};
  return whole;
}

struct assay_evictor {
  size_t size;
  unsigned char *bytes;
};

assay_evictor *assay_evictor_create(void) {
  enum { MOST = 256 << 20 }; // a share of what a whole server's cache is shared by
  assay_evictor *evictor = take(1, sizeof *evictor);
  evictor->size = cache_size() * 2 < MOST ? cache_size() * 2 : MOST;
  evictor->bytes = take(evictor->size, 1);
  return evictor;
}

void assay_evictor_destroy(assay_evictor *evictor) {
  if (evictor == NULL)
    return;
  free(evictor->bytes);
  free(evictor);
}

// Written, so that every line is this core's own and what was there goes.
void assay_evict(void *evictor) {
  enum { LINE = 64 };
  assay_evictor *it = evictor;
  for (size_t i = 0; i < it->size; i += LINE)
    it->bytes[i]++;
}
