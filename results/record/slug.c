// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/record/slug.h"
#include "compiler/base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { LONGEST_SLUG = 64 };

// "matmul m=3 k=5 lhs=sliced data=int" -> "matmul-m3-k5-sliced-int": a number needs its key to be
// understood, a word does not.
static const char *make_slug(assay_arena *arena, const char *key) {
  assay_text slug = {.arena = arena};
  for (const char *word = key; *word != '\0' && slug.length < LONGEST_SLUG;) {
    size_t length = strcspn(word, " ");
    const char *equals = memchr(word, '=', length);
    bool name_it = equals == NULL || !isalpha((unsigned char)equals[1]);
    const char *start = name_it ? word : equals + 1;
    if (slug.length > 0)
      assay_text_print(&slug, "-");
    for (const char *byte = start; byte < word + length && slug.length < LONGEST_SLUG; byte++)
      if (isalnum((unsigned char)*byte) || *byte == '_')
        assay_text_append(&slug, byte, 1);
    word += length;
    word += strspn(word, " ");
  }
  return assay_text_get(&slug);
}

const char *assay_record_slug(assay_arena *arena, const char *key) {
  return assay_arena_format(arena, "%s-%016" PRIx64, make_slug(arena, key), assay_hash_string(key));
}
