// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/time/loop.h"

#include <benchmark/benchmark.h>

namespace {

// Hands each item its time; prints nothing.
class Collector : public benchmark::BenchmarkReporter {
public:
  Collector(assay_timed *items, size_t count) : items(items), count(count) {}

  bool ReportContext(const Context &) override {
    return true;
  }
  // Of all repetitions of one item.
  void ReportRuns(const std::vector<Run> &runs) override {
    std::vector<double> seconds;
    for (const Run &run : runs) {
      if (run.error_occurred || run.run_type != Run::RT_Iteration || reported == count)
        continue;
      items[reported].iterations = run.iterations;
      seconds.push_back(run.real_accumulated_time / static_cast<double>(run.iterations));
    }
    if (!seconds.empty())
      items[reported++].seconds = assay_time_decile(seconds.data(), seconds.size());
  }
  bool complete() const {
    return reported == count;
  }

private:
  assay_timed *items;
  size_t count, reported = 0;
};

void loop(benchmark::State &state, const assay_timed &item) {
  for (auto _ : state) {
    if (item.between != nullptr) {
      state.PauseTiming();
      item.between(item.user);
      state.ResumeTiming();
    }
    if (item.run_elsewhere != nullptr)
      state.SetIterationTime(item.run_elsewhere(item.user));
    else
      item.run(item.user);
  }
}

void enlist(const assay_timed &item, double min_seconds) {
  benchmark::internal::Benchmark *entry = benchmark::RegisterBenchmark(
      item.name, [&item](benchmark::State &state) { loop(state, item); });
  if (item.run_elsewhere != nullptr)
    entry->UseManualTime();
  else
    entry->UseRealTime();
  if (item.repetitions > 1)
    entry->Repetitions(item.repetitions);
  if (item.iterations > 0)
    entry->Iterations(item.iterations);
  else
    entry->MinTime(min_seconds);
}

} // namespace

assay_code assay_time_round(assay_timed items[], size_t count, double min_seconds,
                            assay_error *err) {
  Collector collector(items, count);
  for (size_t i = 0; i < count; i++)
    enlist(items[i], min_seconds);
  benchmark::RunSpecifiedBenchmarks(&collector, ".");
  benchmark::ClearRegisteredBenchmarks();
  if (!collector.complete())
    return assay_fail(err, ASSAY_FAILED, "the timing loop did not run to its end");
  return ASSAY_OK;
}
