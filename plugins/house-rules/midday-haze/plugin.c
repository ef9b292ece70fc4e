// Midday haze: a house rule, written in C against the header of the plugins' ABI.
//
// MH1  In Dry EC a LOS of 16 hexes or more has a Hindrance of +1. (The distance is an option.)
// MH2  What hides in the haze hides nothing more: on such a LOS no AFV or wreck is a Hindrance.
// MH3  Who looks down through the haze, or up out of it, sees clearly: neither of these holds where
//      the ends of the LOS differ by a level or more.
//
// The plugin keeps nothing of a map and of its options one number, which is all that an instance is:
// so there is no memory to allocate, to free or to share between threads.

#include <string.h>

#include "alamein.h"

// The manifest's rules, and the kinds that are said or looked for, by their place in the tables.
enum { HINDRANCE, VEHICLES, LEVELS };
static const AlameinBytes rules[] = {
    ALAMEIN_TEXT("MH1/hindrance"),
    ALAMEIN_TEXT("MH2/vehicles"),
    ALAMEIN_TEXT("MH3/levels"),
};

enum { HAZE, AFV, WRECK };
static const AlameinBytes kinds[] = {
    ALAMEIN_TEXT("haze"),
    ALAMEIN_TEXT("afv"),
    ALAMEIN_TEXT("wreck"),
};

static const AlameinPlaceView whole_line = {ALAMEIN_PLACE_WHOLE, {0, 0}, {0, 0}};

// Levels are counted in halves.
enum { FULL_LEVEL = 2 };

// ---- The rule itself ----

// Whether a LOS is long enough for haze, and the day dry enough.
static int is_far(const AlameinLineBatch *batch, const AlameinLineView *line, uint32_t distance) {
  int only_obstacles = (line->flags & ALAMEIN_LINE_OBSTACLES_ONLY) != 0;
  return batch->ec == ALAMEIN_EC_DRY && line->range >= distance && !only_obstacles;
}

// Whether one end stands a level or more above the other.
static int looks_through(const AlameinLineView *line) {
  int difference = line->from.level - line->to.level;
  return difference >= FULL_LEVEL || difference <= -FULL_LEVEL;
}

static int is_hazy(const AlameinLineBatch *batch, const AlameinLineView *line, uint32_t distance) {
  return is_far(batch, line, distance) && !looks_through(line);
}

// ---- Options, instances and maps ----

// The distance is the instance: a number where others keep a pointer. It is never null, for the
// manifest has it between 1 and 99.
static uint32_t distance_of(const void *instance) { return (uint32_t)(uintptr_t)instance; }

// Reads the number of an option. The host has checked the options against the manifest and has set
// every one, so that whoever looks for an integer by its name finds it.
static int read_number(AlameinBytes options, const char *quoted_name, uint32_t *number) {
  size_t length = strlen(quoted_name);
  for (size_t at = 0; at + length <= options.len; at++) {
    if (memcmp(options.ptr + at, quoted_name, length) != 0) {
      continue;
    }
    at += length;
    while (at < options.len && (options.ptr[at] == ':' || options.ptr[at] == ' ')) {
      at++;
    }
    size_t first = at;
    *number = 0;
    for (; at < options.len && at < first + 4; at++) {
      if (options.ptr[at] < '0' || options.ptr[at] > '9') {
        break;
      }
      *number = *number * 10 + (uint32_t)(options.ptr[at] - '0');
    }
    return at > first;
  }
  return 0;
}

static AlameinStatus create(const AlameinHost *host, AlameinBytes options, AlameinInstance *made,
                            AlameinTextSink error) {
  (void)host; // It would log, and say when the time is up: there is nothing to tell, and no hurry.
  uint32_t distance = 0;
  if (!read_number(options, "\"from_hexes\"", &distance) || distance == 0) {
    const AlameinBytes why = ALAMEIN_TEXT("from_hexes: give a number of hexes, 1 or more");
    error.write(error.ctx, ALAMEIN_TEXT_ERROR, why);
    return ALAMEIN_FAILED;
  }
  *made = (void *)(uintptr_t)distance;
  return ALAMEIN_OK;
}

static AlameinStatus destroy(AlameinInstance instance) {
  (void)instance;
  return ALAMEIN_OK;
}

static AlameinStatus prepare(AlameinInstance instance, const AlameinMapView *map,
                             AlameinPrepared *made, AlameinTextSink text) {
  (void)map, (void)text;
  *made = instance;
  return ALAMEIN_OK;
}

static AlameinStatus release(AlameinPrepared prepared) {
  (void)prepared;
  return ALAMEIN_OK;
}

// Every line may be long enough, whatever hexes it touches.
static AlameinStatus survey(AlameinPrepared prepared, uint8_t *interest, int16_t *levels,
                            size_t len, uint32_t *flags, AlameinTextSink error) {
  (void)prepared, (void)interest, (void)levels, (void)len, (void)error;
  *flags = ALAMEIN_INTEREST_EVERYTHING;
  return ALAMEIN_OK;
}

// ---- Lines: observe, object, judge ----

// Says one thing. Whatever comes back but ALAMEIN_OK is to be handed on at once.
static AlameinStatus say(AlameinSink sink, const void *said, size_t size) {
  AlameinArray one = {said, 1, size};
  return sink.push(sink.ctx, one);
}

static AlameinStatus observe_lines(AlameinPrepared prepared, const AlameinLineBatch *batch,
                                   AlameinSink sink) {
  for (size_t i = 0; i < batch->lines.len; i++) {
    const AlameinLineView *line = alamein_at(batch->lines, i);
    if (!is_hazy(batch, line, distance_of(prepared))) {
      continue;
    }
    AlameinObservation haze = {
        .of = (uint32_t)i,
        .rule = HINDRANCE,
        .fact = ALAMEIN_FACT_HINDRANCE,
        .kind = HAZE,
        .value = 1,
        .subject = ALAMEIN_NONE,
        .place = whole_line,
    };
    AlameinStatus status = say(sink, &haze, sizeof haze);
    if (status != ALAMEIN_OK) {
      return status;
    }
  }
  return ALAMEIN_OK;
}

// A vehicle that somebody observed as a Hindrance. One that is not there but only asked about is left
// as it is: what a wreck would do is for the rules of Fire Lanes to find out.
static int is_vehicle_hindrance(const AlameinSeenObservation *seen) {
  int asked_about = (seen->flags & ALAMEIN_SEEN_HYPOTHETICAL) != 0;
  int vehicle = seen->kind == AFV || seen->kind == WRECK;
  return seen->fact == ALAMEIN_FACT_HINDRANCE && vehicle && !asked_about;
}

static AlameinStatus object_to_lines(AlameinPrepared prepared, const AlameinLineBatch *batch,
                                     const AlameinSeenView *views, AlameinSink sink) {
  for (size_t i = 0; i < batch->lines.len; i++) {
    const AlameinLineView *line = alamein_at(batch->lines, i);
    if (!is_hazy(batch, line, distance_of(prepared))) {
      continue;
    }
    for (size_t j = 0; j < views[i].observations.len; j++) {
      if (!is_vehicle_hindrance(alamein_at(views[i].observations, j))) {
        continue;
      }
      AlameinObjection hidden = {.of = (uint32_t)i, .rule = VEHICLES, .observation = (uint32_t)j};
      AlameinStatus status = say(sink, &hidden, sizeof hidden);
      if (status != ALAMEIN_OK) {
        return status;
      }
    }
  }
  return ALAMEIN_OK;
}

// Players who know the rule will miss the +1 where one looks down through the haze: say why.
static AlameinStatus judge_lines(AlameinPrepared prepared, const AlameinLineBatch *batch,
                                 const AlameinSeenView *views, AlameinSink sink) {
  (void)views;
  for (size_t i = 0; i < batch->lines.len; i++) {
    const AlameinLineView *line = alamein_at(batch->lines, i);
    if (!is_far(batch, line, distance_of(prepared)) || !looks_through(line)) {
      continue;
    }
    AlameinFinding none = {
        .of = (uint32_t)i,
        .rule = LEVELS,
        .effect = ALAMEIN_EFFECT_CONSIDERED,
        .kind = ALAMEIN_NONE,
        .subject = ALAMEIN_NONE,
        .place = whole_line,
        .cites = {NULL, 0, sizeof(uint32_t)},
    };
    AlameinStatus status = say(sink, &none, sizeof none);
    if (status != ALAMEIN_OK) {
      return status;
    }
  }
  return ALAMEIN_OK;
}

// ---- Steps: haze slows nobody ----

static AlameinStatus observe_steps(AlameinPrepared prepared, const AlameinStepBatch *batch,
                                   AlameinSink sink) {
  (void)prepared, (void)batch, (void)sink;
  return ALAMEIN_OK;
}

static AlameinStatus answer_steps(AlameinPrepared prepared, const AlameinStepBatch *batch,
                                  const AlameinSeenView *views, AlameinSink sink) {
  (void)prepared, (void)batch, (void)views, (void)sink;
  return ALAMEIN_OK;
}

// ---- What the host reads before it calls anything ----

static const AlameinTable table = {
    .struct_size = sizeof table,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .release = release,
    .survey = survey,
    .observe_lines = observe_lines,
    .object_to_lines = object_to_lines,
    .judge_lines = judge_lines,
    .observe_steps = observe_steps,
    .object_to_steps = answer_steps,
    .judge_steps = answer_steps,
};

// The macros come from plugin.json: `alamein plugin build` defines them.
ALAMEIN_EXPORT const AlameinDescriptor alamein_plugin_midday_haze = {
    .magic = ALAMEIN_MAGIC,
    .abi_major = ALAMEIN_ABI_MAJOR,
    .abi_minor = ALAMEIN_ABI_MINOR,
    .struct_size = sizeof(AlameinDescriptor),
    .panic_strategy = ALAMEIN_PANIC_NONE,
    .rule_count = sizeof rules / sizeof *rules,
    .kind_count = sizeof kinds / sizeof *kinds,
    .id = ALAMEIN_TEXT(ALAMEIN_PLUGIN_ID),
    .version = ALAMEIN_TEXT(ALAMEIN_PLUGIN_VERSION),
    .target = ALAMEIN_TEXT(ALAMEIN_TARGET),
    .build_id = ALAMEIN_TEXT(ALAMEIN_BUILD_ID),
    .manifest = ALAMEIN_TEXT(ALAMEIN_PLUGIN_MANIFEST),
    .rules = rules,
    .kinds = kinds,
    .table = &table,
};
