// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/reduce/search.h"

#include "compiler/base/clock.h"
#include "harness/ledger/pool.h"

#include <string.h>

// What makes the program much smaller comes first, then what makes it run faster, then the rest.
static const assay_cut ORDER[] = {
    ASSAY_CUT_SYMBOLS,      ASSAY_CUT_AFTER,   ASSAY_CUT_BEFORE,     ASSAY_CUT_RESULTS,
    ASSAY_CUT_DIMS,         ASSAY_CUT_REGIONS, ASSAY_CUT_OPERATIONS, ASSAY_CUT_TO_ARGUMENTS,
    ASSAY_CUT_TO_CONSTANTS, ASSAY_CUT_RESULTS, ASSAY_CUT_CONSTANTS,  ASSAY_CUT_ATTRIBUTES};
enum { KINDS = sizeof ORDER / sizeof ORDER[0], MOST_ROUNDS = 12 };

double assay_search_left(const assay_search *search) {
  const double no_limit = 1e9;
  double limit = search->request->seconds > 0 ? search->request->seconds : no_limit;
  return limit - (assay_clock_now() - search->started);
}

bool assay_search_is_over(assay_search *search) {
  if (assay_pool_is_stopped(search->request->ledger))
    search->found->stopped = true;
  else if (assay_search_left(search) <= 0)
    search->found->out_of_time = true;
  return search->found->stopped || search->found->out_of_time;
}

static void remember(assay_search *search, uint64_t hash) {
  if (hash == 0)
    return;
  if (search->question.hash_count == search->hash_room) {
    int room = 2 * search->hash_room + 64;
    uint64_t *more = assay_arena_take(search->arena, (size_t)room, sizeof *more);
    if (search->question.hash_count > 0)
      memcpy(more, search->hashes, (size_t)search->question.hash_count * sizeof *more);
    search->hashes = more;
    search->hash_room = room;
  }
  search->hashes[search->question.hash_count++] = hash;
  search->question.hashes = search->hashes;
}

assay_code assay_search_accept(assay_search *search, const assay_tried *tried, assay_error *err) {
  const assay_reduction_request *request = search->request;
  search->question.text = search->found->text = tried->text;
  search->question.size = search->found->size = tried->size;
  search->found->symptom = tried->symptom;
  search->found->given = tried->given;
  search->found->sentence = assay_arena_string(search->arena, tried->sentence);
  return request->better != NULL ? request->better(request->user, tried->text, err) : ASSAY_OK;
}

static void tell(const assay_search *search, assay_cut cut) {
  const assay_reduction_request *request = search->request;
  if (request->progress != NULL)
    request->progress(request->user, assay_cut_name(cut), search->found->size,
                      search->found->tried);
}

// How many sites the best so far has.
static int count_sites(const assay_search *search, assay_cut cut) {
  const assay_question *question = &search->question;
  MlirModule module = mlirModuleCreateParse(question->ledger->context,
                                            mlirStringRefCreateFromCString(question->text));
  if (mlirModuleIsNull(module))
    return 0;
  int count = assay_cut_count(module, question->entry, cut);
  mlirModuleDestroy(module);
  return count;
}

// Tries some cuts; *out_shown is the number of the one that was taken over, -1 for none.
static assay_code try(assay_search *search, const assay_candidate candidates[], int count,
                      int *out_shown, assay_error *err) {
  assay_tried *tried = assay_arena_take(search->arena, (size_t)count + 1, sizeof *tried);
  tell(search, candidates[0].cut);
  TRY(assay_candidates_try(&search->question, candidates, count, false, tried, out_shown, err));
  for (int i = 0; i < count; i++) {
    bool asked = tried[i].symptom.pass[0] != '\0' || tried[i].sentence[0] != '\0' ||
                 tried[i].status == ASSAY_CANDIDATE_SHOWS;
    search->found->tried += asked;
    remember(search, tried[i].hash);
  }
  if (*out_shown < 0)
    return ASSAY_OK;
  search->found->shown++;
  return assay_search_accept(search, &tried[*out_shown], err);
}

// Where one site cuts all that is behind it, or before it: places are counted from the end at which
// the most is cut. Those below `low` are known not to show the fault.
static assay_code bisect(assay_search *search, assay_cut cut, assay_error *err) {
  int low = 0, high = count_sites(search, cut);
  while (low < high && !assay_search_is_over(search)) {
    int places[] = {low + (high - low) / 3, low + 2 * (high - low) / 3};
    int count = places[0] == places[1] ? 1 : 2, shown;
    assay_candidate candidates[2];
    for (int i = 0; i < count; i++) {
      int site = cut == ASSAY_CUT_BEFORE ? high - 1 - places[i] : places[i];
      candidates[i] = (assay_candidate){.cut = cut, .from = site, .to = site + 1};
    }
    TRY(try(search, candidates, count, &shown, err));
    int sites = shown >= 0 ? count_sites(search, cut) : high;
    if (shown >= 0 && sites >= high)
      return ASSAY_OK; // it cuts nothing that counts
    low = shown >= 0 ? low : places[count - 1] + 1;
    high = sites;
  }
  return ASSAY_OK;
}

// Delta debugging: all sites at once, then halves, quarters, each alone (Zeller and Hildebrandt,
// "Simplifying and isolating failure-inducing input", IEEE TSE 28, 2002).
static assay_code halve(assay_search *search, assay_cut cut, assay_error *err) {
  int sites = count_sites(search, cut);
  for (int chunk = sites; chunk > 0; chunk /= 2) {
    for (int start = 0; start < sites && !assay_search_is_over(search);) {
      int count = (sites - start + chunk - 1) / chunk, shown;
      assay_candidate *candidates =
          assay_arena_take(search->arena, (size_t)count, sizeof *candidates);
      for (int i = 0; i < count; i++) {
        int from = start + i * chunk, to = from + chunk < sites ? from + chunk : sites;
        candidates[i] = (assay_candidate){.cut = cut, .from = from, .to = to};
      }
      TRY(try(search, candidates, count, &shown, err));
      if (shown < 0)
        break;
      start = candidates[shown].from;
      sites = count_sites(search, cut);
    }
    chunk = chunk < sites ? chunk : sites;
  }
  return ASSAY_OK;
}

// A script of transformations names sizes that fit the program's own: with smaller ones it may go
// wrong in another way.
static bool is_left_out(const assay_search *search, assay_cut cut) {
  return cut == ASSAY_CUT_DIMS && strstr(search->question.text, "transform.named_sequence") != NULL;
}

assay_code assay_search_run(assay_search *search, assay_error *err) {
  for (int round = 0; round < MOST_ROUNDS; round++) {
    int size = search->found->size;
    size_t length = strlen(search->found->text);
    for (int i = 0; i < KINDS && !assay_search_is_over(search); i++)
      if (!is_left_out(search, ORDER[i]))
        TRY((assay_cut_is_positional(ORDER[i]) ? bisect : halve)(search, ORDER[i], err));
    bool smaller = search->found->size < size ||
                   (search->found->size == size && strlen(search->found->text) < length);
    if (!smaller || assay_search_is_over(search))
      break;
  }
  return ASSAY_OK;
}
