// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/page/plot.h"
#include "results/formats/common/clean.h"

#include <libxml/parser.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const double GNUPLOT_SECONDS = 20; // it draws a page in one

static void *grow(assay_arena *arena, void *items, size_t count, size_t *room, size_t size) {
  if (count < *room)
    return items;
  *room = *room < 8 ? 8 : *room * 2;
  void *larger = assay_arena_take(arena, *room, size);
  if (count > 0)
    memcpy(larger, items, count * size);
  return larger;
}

assay_plot *assay_plots_add(assay_plots *plots, xmlNodePtr place, int height, const char *title,
                            const char *description) {
  assay_arena *arena = plots->dom->arena;
  assay_plot *plot = assay_arena_take(arena, 1, sizeof *plot);
  *plot = (assay_plot){.place = place,
                       .title = title,
                       .description = description,
                       .height = height,
                       .script = {.arena = arena}};
  plots->items = grow(arena, plots->items, plots->count, &plots->room, sizeof(assay_plot *));
  plots->items[plots->count++] = plot;
  return plot;
}

const char *assay_plot_label(assay_arena *arena, assay_plot *plot, const char *label, size_t most) {
  plot->labels =
      grow(arena, plot->labels, plot->label_count, &plot->label_room, sizeof *plot->labels);
  plot->labels[plot->label_count] = assay_clip(arena, label, most);
  return assay_arena_format(arena, "L%zu", plot->label_count++);
}

static bool is_named(const xmlNode *node, const char *name) {
  return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

// Which plot's drawing is being made the page's own.
typedef struct grafting {
  assay_dom *dom;
  const assay_plot *plot;
  size_t number;
} grafting;

// The label that a text stands for: NULL where it stands for itself.
static const char *label_of(const grafting *it, const char *text) {
  text += strspn(text, " \n\t");
  if (text[0] != 'L' || !isdigit((unsigned char)text[1]))
    return NULL;
  char *end;
  unsigned long number = strtoul(text + 1, &end, 10);
  return end[strspn(end, " \n\t")] == '\0' && number < it->plot->label_count
             ? it->plot->labels[number]
             : NULL;
}

// The channels of "rgb(  0,   0,   3)", as gnuplot writes colors that are not black.
static bool read_color(const char *text, long channel[3]) {
  if (strncmp(text, "rgb(", 4) != 0)
    return false;
  const char *at = text + 4;
  for (int i = 0; i < 3; i++) {
    char *end;
    channel[i] = strtol(at, &end, 10);
    if (end == at || *end != (i < 2 ? ',' : ')'))
      return false;
    at = end + 1;
  }
  return true;
}

// The class of a color: "c3" for rgb(0, 0, 3); "" where it is none of ours.
static const char *class_of(const char *color) {
  static const char *const classes[] = {"",   "c1", "c2", "c3", "c4", "c5",
                                        "c6", "c7", "c8", "c9", "c10"};
  long channel[3];
  bool ours = read_color(color, channel) && channel[0] == 0 && channel[1] == 0 && channel[2] > 0 &&
              channel[2] <= ASSAY_PLOT_BACKGROUND;
  return ours ? classes[channel[2]] : "";
}

// What gnuplot draws in black is in the color of the page's text.
static bool is_black(const char *color) {
  long channel[3];
  if (read_color(color, channel))
    return channel[0] == 0 && channel[1] == 0 && channel[2] == 0;
  return strcmp(color, "black") == 0 || strcmp(color, "white") == 0;
}

// An attribute of a drawing as one of the page: ids are made unique, colors become classes.
static void adopt(const grafting *it, xmlNodePtr node, const xmlAttr *attribute) {
  const char *name = (const char *)attribute->name;
  xmlChar *held = xmlNodeListGetString(attribute->doc, attribute->children, 1);
  const char *value = held != NULL ? (const char *)held : "";
  bool paints =
      strcmp(name, "fill") == 0 || strcmp(name, "stroke") == 0 || strcmp(name, "color") == 0;
  if (strcmp(name, "id") == 0)
    assay_dom_attribute(it->dom, node, name,
                        assay_arena_format(it->dom->arena, "p%zu-%s", it->number, value));
  else if (strcmp(name, "href") == 0 && value[0] == '#')
    assay_dom_attribute(it->dom, node, "href",
                        assay_arena_format(it->dom->arena, "#p%zu-%s", it->number, value + 1));
  else if (paints && class_of(value)[0] != '\0')
    assay_dom_attribute(it->dom, node, "class",
                        assay_arena_format(it->dom->arena, "%s%c", class_of(value), name[0]));
  else if (paints && is_black(value))
    assay_dom_attribute(it->dom, node, name, "currentColor");
  else if (strcmp(name, "font-family") != 0)
    assay_dom_attribute(it->dom, node, name, value);
  xmlFree(held);
}

static bool is_blank(const char *text) {
  return text[strspn(text, " \n\t")] == '\0';
}

// Copies what is below a node of the drawing to below one of the page, but for what gnuplot says of
// itself and text boxes that nobody uses.
static void graft(const grafting *it, xmlNodePtr from, xmlNodePtr to) {
  for (xmlNodePtr child = from->children; child != NULL; child = child->next) {
    if (child->type == XML_TEXT_NODE) {
      const char *text = (const char *)child->content, *label = label_of(it, text);
      if (!is_blank(text))
        assay_dom_text(it->dom, to, label != NULL ? label : text);
      continue;
    }
    if (child->type != XML_ELEMENT_NODE || is_named(child, "title") || is_named(child, "desc") ||
        is_named(child, "filter"))
      continue;
    bool empty_group = is_named(child, "g") && xmlChildElementCount(child) == 0;
    if (empty_group)
      continue;
    xmlNodePtr made = assay_dom_add(it->dom, to, (const char *)child->name, NULL);
    for (const xmlAttr *attribute = child->properties; attribute != NULL;
         attribute = attribute->next)
      adopt(it, made, attribute);
    graft(it, child, made);
  }
}

// One drawing, which has a name and a description for those who do not see it.
static bool place(assay_dom *dom, const assay_plot *plot, size_t number, const char *drawing,
                  size_t length) {
  xmlDocPtr parsed = xmlReadMemory(drawing, (int)length, NULL, NULL,
                                   XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  xmlNodePtr root = parsed != NULL ? xmlDocGetRootElement(parsed) : NULL;
  if (root != NULL && is_named(root, "svg")) {
    assay_arena *arena = dom->arena;
    const char *title = assay_arena_format(arena, "p%zu-title", number);
    const char *description = assay_arena_format(arena, "p%zu-desc", number);
    xmlNodePtr svg = assay_dom_add(dom, plot->place, "svg", NULL);
    assay_dom_attribute(dom, svg, "viewBox",
                        assay_arena_format(arena, "0 0 %d %d", ASSAY_PLOT_WIDTH, plot->height));
    assay_dom_attribute(dom, svg, "role", "img");
    assay_dom_attribute(dom, svg, "aria-labelledby",
                        assay_arena_format(arena, "%s %s", title, description));
    assay_dom_attribute(dom, assay_dom_add(dom, svg, "title", plot->title), "id", title);
    assay_dom_attribute(dom, assay_dom_add(dom, svg, "desc", plot->description), "id", description);
    graft(&(grafting){dom, plot, number}, root, svg);
  }
  xmlFreeDoc(parsed);
  return root != NULL;
}

// The drawings stand one behind the other, each with its own XML declaration.
static bool place_all(assay_plots *plots, const char *drawings) {
  size_t placed = 0;
  for (const char *at = strstr(drawings, "<?xml"); at != NULL && placed < plots->count; placed++) {
    const char *next = strstr(at + 1, "<?xml");
    size_t length = next != NULL ? (size_t)(next - at) : strlen(at);
    if (!place(plots->dom, plots->items[placed], placed, at, length))
      return false;
    at = next;
  }
  return placed == plots->count;
}

static const char *script_of(const assay_plots *plots) {
  assay_text script = {.arena = plots->dom->arena};
  for (size_t i = 0; i < plots->count; i++)
    assay_text_print(&script,
                     "reset\nset terminal svg size %d,%d noenhanced font 'Arial,13'\n"
                     "set style fill solid noborder\nunset key\nset tics nomirror\n%s",
                     ASSAY_PLOT_WIDTH, plots->items[i]->height,
                     assay_text_get(&plots->items[i]->script));
  return assay_text_get(&script);
}

const char *assay_plots_draw(assay_plots *plots, bool allowed) {
  const char *reason = "plots are switched off", *drawings = NULL;
  if (plots->count == 0)
    return NULL;
  if (allowed)
    drawings = assay_gnuplot_run(plots->dom->arena, script_of(plots), GNUPLOT_SECONDS, &reason);
  if (drawings != NULL && place_all(plots, drawings))
    return NULL;
  reason = reason != NULL ? reason : "gnuplot drew something else";
  for (size_t i = 0; i < plots->count; i++)
    assay_dom_add_class(
        plots->dom, plots->items[i]->place, "p", "missing",
        assay_arena_format(plots->dom->arena, "Not drawn, for %s: the numbers are below.", reason));
  return reason;
}
