// Wells: a plugin that knows the ABI as it was at 1.0, and no more of it.
//
// W1  A well between the ends of a LOS is a Hindrance of +1.
// W2  A wreck in a well's hex is no Hindrance.
// W3  A target in a well's hex has +1 TEM against Direct Fire, and +2 if it is thirsty. (An option.)
// W4  Entering a well's hex costs 1 more than its COT, and a well raises its hex by half a level.
// W5  No vehicle enters the hex of a well that is deeper than 10.

#include <stdlib.h>
#include <string.h>

#include "alamein-1.0.h"

enum { HINDRANCE, ON_WRECK, TEM, ROUND, DEEP };
static const AlameinBytes rules[] = {
    ALAMEIN_TEXT("W1/hindrance"), ALAMEIN_TEXT("W2/wreck"), ALAMEIN_TEXT("W3/tem"),
    ALAMEIN_TEXT("W4/round"),     ALAMEIN_TEXT("W5/deep"),
};

enum { WELL, WRECK, LOCATION };
static const AlameinBytes kinds[] = {
    ALAMEIN_TEXT("well"),
    ALAMEIN_TEXT("wreck"),
    ALAMEIN_TEXT("location"),
};

typedef struct {
  const AlameinHost *host;
  int32_t tem;
} Rules;

typedef struct {
  AlameinHexCoord hex;
  int64_t depth;
} Well;

typedef struct {
  const Rules *of;
  size_t count;
  size_t *index; // where the well's hex stands among the grid's
  Well *wells;
} Map;

static int same(AlameinHexCoord a, AlameinHexCoord b) { return a.q == b.q && a.r == b.r; }

static int is(AlameinBytes text, const char *word) {
  return text.len == strlen(word) && memcmp(text.ptr, word, text.len) == 0;
}

static const Well *well_in(const Map *map, AlameinHexCoord hex) {
  for (size_t i = 0; i < map->count; i++) {
    if (same(map->wells[i].hex, hex)) {
      return &map->wells[i];
    }
  }
  return NULL;
}

static AlameinStatus create(const AlameinHost *host, AlameinBytes options, AlameinInstance *made,
                            AlameinTextSink error) {
  const AlameinBytes hello = ALAMEIN_TEXT("wells of ABI 1.0");
  Rules *of = malloc(sizeof *of);
  if (of == NULL || options.len < 2) {
    const AlameinBytes why = ALAMEIN_TEXT("no memory, or no options");
    error.write(error.ctx, ALAMEIN_TEXT_ERROR, why);
    free(of);
    return ALAMEIN_FAILED;
  }
  of->host = host;
  of->tem = options.ptr[options.len - 2] - '0'; // {"tem":1}
  host->log(host->ctx, ALAMEIN_LOG_INFORMATION, hello);
  *made = of;
  return ALAMEIN_OK;
}

static AlameinStatus destroy(AlameinInstance instance) {
  free(instance);
  return ALAMEIN_OK;
}

static AlameinStatus release(AlameinPrepared prepared) {
  Map *map = prepared;
  if (map != NULL) {
    free(map->wells);
    free(map->index);
    free(map);
  }
  return ALAMEIN_OK;
}

static void read_hexes(Map *map, const AlameinMapView *view, const AlameinFieldView *field) {
  for (size_t i = 0; i < field->hexes.len; i++) {
    const AlameinHexCoord *hex = alamein_at(field->hexes, i);
    for (size_t at = 0; at < view->hexes.len; at++) {
      if (same(*(const AlameinHexCoord *)alamein_at(view->hexes, at), *hex)) {
        map->index[map->count] = at;
        map->wells[map->count++].hex = *hex;
      }
    }
  }
}

static void read_depths(Map *map, const AlameinFieldView *field) {
  for (size_t i = 0; i < field->hexes.len; i++) {
    const AlameinHexCoord *hex = alamein_at(field->hexes, i);
    for (size_t at = 0; at < map->count; at++) {
      if (same(map->wells[at].hex, *hex)) {
        map->wells[at].depth = *(const int64_t *)alamein_at(field->values, i);
      }
    }
  }
}

static AlameinStatus prepare(AlameinInstance instance, const AlameinMapView *view,
                             AlameinPrepared *made, AlameinTextSink text) {
  Map *map = calloc(1, sizeof *map);
  size_t most = view->hexes.len + 1;
  if (map == NULL || (map->wells = calloc(most, sizeof *map->wells)) == NULL ||
      (map->index = calloc(most, sizeof *map->index)) == NULL) {
    const AlameinBytes why = ALAMEIN_TEXT("no memory");
    text.write(text.ctx, ALAMEIN_TEXT_ERROR, why);
    release(map);
    return ALAMEIN_FAILED;
  }
  map->of = instance;
  const AlameinFieldView *depth = NULL;
  for (size_t i = 0; i < view->layers.len; i++) {
    const AlameinLayerView *layer = alamein_at(view->layers, i);
    for (size_t j = 0; is(layer->name, "well") && j < layer->fields.len; j++) {
      const AlameinFieldView *field = alamein_at(layer->fields, j);
      if (is(field->name, "hexes") && field->kind == ALAMEIN_FIELD_HEXES) {
        read_hexes(map, view, field);
      } else if (is(field->name, "depth") && field->kind == ALAMEIN_FIELD_HEX_VALUES) {
        depth = field;
      }
    }
  }
  if (depth != NULL) {
    read_depths(map, depth);
  }
  if (map->count == 0) {
    const AlameinBytes warning = ALAMEIN_TEXT("no well far and wide");
    text.write(text.ctx, ALAMEIN_TEXT_MAP_WARNING, warning);
  }
  *made = map;
  return ALAMEIN_OK;
}

static AlameinStatus survey(AlameinPrepared prepared, uint8_t *interest, int16_t *levels,
                            size_t len, uint32_t *flags, AlameinTextSink error) {
  const Map *map = prepared;
  (void)error;
  for (size_t i = 0; i < map->count && map->index[i] < len; i++) {
    interest[map->index[i]] = 1;
    levels[map->index[i]] = 1;
  }
  *flags = 0;
  return ALAMEIN_OK;
}

static AlameinStatus say(AlameinSink sink, const void *said, size_t size) {
  AlameinArray one = {said, 1, size};
  return sink.push(sink.ctx, one);
}

static AlameinStatus observe_lines(AlameinPrepared prepared, const AlameinLineBatch *batch,
                                   AlameinSink sink) {
  const Map *map = prepared;
  for (size_t i = 0; i < batch->lines.len; i++) {
    if (map->of->host->budget_exhausted(map->of->host->ctx)) {
      return ALAMEIN_OUT_OF_TIME;
    }
    const AlameinLineView *line = alamein_at(batch->lines, i);
    for (size_t j = 0; j < line->touched.len; j++) {
      const AlameinTouchView *touch = alamein_at(line->touched, j);
      AlameinHexCoord hex = {(int16_t)(touch->hex.q + line->origin.q),
                             (int16_t)(touch->hex.r + line->origin.r)};
      if (touch->contact != ALAMEIN_CONTACT_THROUGH || well_in(map, hex) == NULL) {
        continue;
      }
      AlameinObservation said = {.of = (uint32_t)i,
                                 .rule = HINDRANCE,
                                 .fact = ALAMEIN_FACT_HINDRANCE,
                                 .kind = WELL,
                                 .value = 1,
                                 .subject = ALAMEIN_NONE,
                                 .place = {ALAMEIN_PLACE_HEX, hex, hex}};
      AlameinStatus status = say(sink, &said, sizeof said);
      if (status != ALAMEIN_OK) {
        return status;
      }
    }
  }
  return ALAMEIN_OK;
}

static AlameinStatus object_to_lines(AlameinPrepared prepared, const AlameinLineBatch *batch,
                                     const AlameinSeenView *views, AlameinSink sink) {
  const Map *map = prepared;
  for (size_t i = 0; i < batch->lines.len; i++) {
    for (size_t j = 0; j < views[i].observations.len; j++) {
      const AlameinSeenObservation *seen = alamein_at(views[i].observations, j);
      if (seen->kind != WRECK || seen->place.tag != ALAMEIN_PLACE_HEX ||
          well_in(map, seen->place.a) == NULL) {
        continue;
      }
      AlameinObjection said = {(uint32_t)i, ON_WRECK, (uint32_t)j};
      AlameinStatus status = say(sink, &said, sizeof said);
      if (status != ALAMEIN_OK) {
        return status;
      }
    }
  }
  return ALAMEIN_OK;
}

static int is_thirsty(const AlameinLineBatch *batch, uint32_t counter) {
  for (size_t i = 0; i < batch->attributes.len; i++) {
    const AlameinAttributeView *held = alamein_at(batch->attributes, i);
    const AlameinBytes *name = alamein_at(batch->attribute_names, held->name);
    if (held->counter == counter && is(*name, "wells.thirst")) {
      return held->value > 0;
    }
  }
  return 0;
}

static AlameinStatus judge_lines(AlameinPrepared prepared, const AlameinLineBatch *batch,
                                 const AlameinSeenView *views, AlameinSink sink) {
  const Map *map = prepared;
  (void)views;
  for (size_t i = 0; i < batch->lines.len; i++) {
    const AlameinLineView *line = alamein_at(batch->lines, i);
    if (line->attack != ALAMEIN_ATTACK_DIRECT || well_in(map, line->to.hex) == NULL) {
      continue;
    }
    AlameinFinding said = {.of = (uint32_t)i,
                           .rule = TEM,
                           .effect = ALAMEIN_EFFECT_TEM,
                           .kind = LOCATION,
                           .value = map->of->tem + is_thirsty(batch, line->to.counter),
                           .subject = line->to.counter,
                           .place = {ALAMEIN_PLACE_HEX, line->to.hex, line->to.hex},
                           .cites = {NULL, 0, sizeof(uint32_t)}};
    AlameinStatus status = say(sink, &said, sizeof said);
    if (status != ALAMEIN_OK) {
      return status;
    }
  }
  return ALAMEIN_OK;
}

static AlameinStatus observe_steps(AlameinPrepared prepared, const AlameinStepBatch *batch,
                                   AlameinSink sink) {
  const Map *map = prepared;
  for (size_t i = 0; i < batch->steps.len; i++) {
    const AlameinStepView *step = alamein_at(batch->steps, i);
    if (step->kind != ALAMEIN_STEP_ENTER || well_in(map, step->to) == NULL) {
      continue;
    }
    AlameinObservation said = {.of = (uint32_t)i,
                               .rule = ROUND,
                               .fact = ALAMEIN_FACT_SURCHARGE,
                               .kind = ALAMEIN_NONE,
                               .value = 1,
                               .subject = ALAMEIN_NONE,
                               .place = {ALAMEIN_PLACE_HEX, step->to, step->to}};
    AlameinStatus status = say(sink, &said, sizeof said);
    if (status != ALAMEIN_OK) {
      return status;
    }
  }
  return ALAMEIN_OK;
}

static AlameinStatus object_to_steps(AlameinPrepared prepared, const AlameinStepBatch *batch,
                                     const AlameinSeenView *views, AlameinSink sink) {
  (void)prepared, (void)batch, (void)views, (void)sink;
  return ALAMEIN_OK;
}

static AlameinStatus judge_steps(AlameinPrepared prepared, const AlameinStepBatch *batch,
                                 const AlameinSeenView *views, AlameinSink sink) {
  const Map *map = prepared;
  (void)views;
  for (size_t i = 0; i < batch->steps.len; i++) {
    const AlameinStepView *step = alamein_at(batch->steps, i);
    const Well *well = well_in(map, step->to);
    int vehicle = step->class_ >= ALAMEIN_CLASS_WAGON && step->class_ <= ALAMEIN_CLASS_TRUCK;
    if (well == NULL || well->depth <= 10 || !vehicle) {
      continue;
    }
    AlameinFinding said = {.of = (uint32_t)i,
                           .rule = DEEP,
                           .effect = ALAMEIN_EFFECT_PROHIBITED,
                           .kind = ALAMEIN_NONE,
                           .subject = ALAMEIN_NONE,
                           .place = {ALAMEIN_PLACE_HEX, step->to, step->to},
                           .cites = {NULL, 0, sizeof(uint32_t)}};
    AlameinStatus status = say(sink, &said, sizeof said);
    if (status != ALAMEIN_OK) {
      return status;
    }
  }
  return ALAMEIN_OK;
}

static const AlameinTable table = {
    sizeof table,    create,      destroy,       prepare,         release,     survey, observe_lines,
    object_to_lines, judge_lines, observe_steps, object_to_steps, judge_steps,
};

ALAMEIN_EXPORT const AlameinDescriptor alamein_plugin_wells = {
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
