// A plugin that keeps to the ABI, unless it is compiled with one of the macros below: then it
// misbehaves in that one way. Each is a fixture for a check of the conformance kit.
//
// What it does when it behaves: where a line touches a hex of its layer, a Hindrance of +1; a step
// into one costs 2; who looks on is told nothing.

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alamein.h"

// ---- What the descriptor says ----

#ifndef SYMBOL
#define SYMBOL alamein_plugin_raw
#endif
#ifndef MAGIC
#define MAGIC ALAMEIN_MAGIC
#endif
#ifndef MAJOR
#define MAJOR ALAMEIN_ABI_MAJOR
#endif
#ifndef MINOR
#define MINOR ALAMEIN_ABI_MINOR
#endif
#ifndef SIZE
#define SIZE sizeof(AlameinDescriptor)
#endif
#ifndef TABLE_SIZE
#define TABLE_SIZE sizeof(AlameinTable)
#endif
#ifndef PANIC
#define PANIC ALAMEIN_PANIC_NONE
#endif
#ifndef RESERVED
#define RESERVED 0
#endif
#ifndef ID
#define ID ALAMEIN_PLUGIN_ID
#endif
#ifndef VERSION
#define VERSION ALAMEIN_PLUGIN_VERSION
#endif
#ifndef MANIFEST
#define MANIFEST ALAMEIN_PLUGIN_MANIFEST
#endif
#ifndef RULE
#define RULE "X2.1/said"
#endif
#ifndef JUDGE
#define JUDGE judge_lines
#endif

// ---- What it answers ----

#ifndef CREATE_STATUS
#define CREATE_STATUS ALAMEIN_OK
#endif
#ifndef PREPARE_STATUS
#define PREPARE_STATUS ALAMEIN_OK
#endif
#ifndef RELEASE_STATUS
#define RELEASE_STATUS ALAMEIN_OK
#endif
#ifndef DESTROY_STATUS
#define DESTROY_STATUS ALAMEIN_OK
#endif
#ifndef STATUS
#define STATUS ALAMEIN_OK
#endif
#ifndef INTEREST
#define INTEREST 0
#endif
#ifndef LEVEL
#define LEVEL 0
#endif
// Where it says that it speaks of LOS: with this mark in the hexes of its layer.
#ifndef SIGHT_MARK
#define SIGHT_MARK ALAMEIN_SIGHT_END
#endif

// ---- What it says of a line ----

#ifndef OF
#define OF i
#endif
#ifndef RULE_INDEX
#define RULE_INDEX 0
#endif
#ifndef FACT
#define FACT ALAMEIN_FACT_HINDRANCE
#endif
#ifndef KIND
#define KIND 0
#endif
#ifndef DRM
#define DRM 1
#endif
#ifndef FLAGS
#define FLAGS 0
#endif
#ifndef SUBJECT
#define SUBJECT ALAMEIN_NONE
#endif
#ifndef PLACE
#define PLACE {ALAMEIN_PLACE_HEX, here, {0, 0}}
#endif
#ifndef STRIDE
#define STRIDE sizeof said
#endif
// What it does on the way, in each call of a round and at each line.
#ifndef IN_CALL
#define IN_CALL
#endif
#ifndef AT_LINE
#define AT_LINE
#endif
#ifndef IN_CREATE
#define IN_CREATE
#endif
#ifndef IN_PREPARE
#define IN_PREPARE
#endif

typedef struct {
  const AlameinHost *host;
} Instance;

typedef struct {
  const AlameinHost *host;
  AlameinHexCoord *hexes;
  size_t count;
  size_t columns, rows;
} Map;

// ---- Ways to misbehave, for the macros to name ----

static void nothing(void *what) { (void)what; }

// Kept from call to call.
static int calls;
static const AlameinLineBatch *old_batch;
static const AlameinMapView *old_map;
static pthread_t creator;
static pthread_key_t key;

static inline int count(void) { return ++calls; }

// Uses what an earlier call was lent.
static volatile uint32_t found;

static inline void stale_batch(const AlameinLineBatch *batch) {
  if (old_batch) found = old_batch->ec;
  old_batch = batch;
}

static inline void stale_map(void) {
  if (old_map) found = old_map->columns;
}

// Says something through the sink of an earlier call.
static inline void stale_sink(AlameinSink to) {
  static AlameinSink old;
  AlameinArray nothing_said = {NULL, 0, sizeof(AlameinObservation)};
  if (old.push) old.push(old.ctx, nothing_said);
  old = to;
}

static inline void crash(void) { *(volatile int *)8 = 1; }

static int deeper(volatile int *from) {
  volatile int here[256];
  here[0] = *from + 1;
  return deeper(here) + here[0];
}

static inline void overflow(void) {
  volatile int start = 0;
  deeper(&start);
}

static inline void forever(void) {
  volatile int go = 1;
  while (go) {
  }
}

static inline void slowly(void) { usleep(2300 * 1000); }

static void *sleeper(void *host) {
  (void)host;
  pause();
  return NULL;
}

static void *caller(void *at) {
  const AlameinHost *host = at;
  host->budget_exhausted(host->ctx);
  return NULL;
}

// Once in a process, so that it is no more than one thread.
static inline void start(void *(*run)(void *), const AlameinHost *host, int wait) {
  static int started;
  pthread_t thread;
  if (started++) return;
  if (pthread_create(&thread, NULL, run, (void *)host)) return;
  if (wait) pthread_join(thread, NULL);
}

static inline void leak(size_t bytes) {
  volatile char *kept = malloc(bytes);
  if (kept) *kept = 1;
}

static void at_thread_end(void *value) {
  (void)value;
  abort();
}

static void make_key(void) { pthread_key_create(&key, at_thread_end); }

static inline void leave_for_the_end(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_key);
  pthread_setspecific(key, &key);
}

#ifdef CONSTRUCTOR
__attribute__((constructor)) static void constructor(void) { CONSTRUCTOR; }
#endif

#ifdef UNDEFINED
extern void nobody_has_this(void);
void never_called(void) { nobody_has_this(); }
#endif

#ifdef UNIQUE
__asm__(".type alamein_plugin_raw, @gnu_unique_object");
#endif

// ---- The plugin ----

static AlameinBytes text(const char *text) {
  AlameinBytes lent = {(const uint8_t *)text, strlen(text)};
  return lent;
}

static uint32_t finish(AlameinSink to, uint32_t status) {
  if (status != ALAMEIN_OK && status != ALAMEIN_FULL)
    to.error.write(to.error.ctx, ALAMEIN_TEXT_ERROR, text("raw as it is"));
  return status;
}

static uint32_t create(const AlameinHost *host, AlameinBytes options, void **made,
                       AlameinTextSink error) {
  (void)options;
  creator = pthread_self();
  IN_CREATE;
  if (CREATE_STATUS != ALAMEIN_OK) {
    error.write(error.ctx, ALAMEIN_TEXT_ERROR, text("it will not be made"));
    return CREATE_STATUS;
  }
  Instance *instance = calloc(1, sizeof *instance);
  instance->host = host;
  *made = instance;
  return ALAMEIN_OK;
}

static uint32_t destroy(void *instance) {
#ifndef LEAK_INSTANCE
  free(instance);
#endif
  return DESTROY_STATUS;
}

static int is_called(AlameinBytes name, const char *wanted) {
  return name.len == strlen(wanted) && !memcmp(name.ptr, wanted, name.len);
}

static uint32_t prepare(void *instance, const AlameinMapView *view, void **made,
                        AlameinTextSink to) {
  Map *map = calloc(1, sizeof *map);
  map->host = ((Instance *)instance)->host;
  map->columns = view->columns;
  map->rows = view->rows;
  old_map = view;
  IN_PREPARE;
  for (size_t i = 0; i < view->layers.len; i++) {
    const AlameinLayerView *layer = alamein_at(view->layers, i);
    const AlameinFieldView *field = alamein_at(layer->fields, 0);
    if (!is_called(layer->name, "raw") || !field) continue;
    map->count = field->hexes.len;
    map->hexes = calloc(map->count + 1, sizeof *map->hexes);
    for (size_t j = 0; j < map->count; j++)
      map->hexes[j] = *(const AlameinHexCoord *)alamein_at(field->hexes, j);
  }
  *made = map;
  if (PREPARE_STATUS != ALAMEIN_OK)
    to.write(to.ctx, ALAMEIN_TEXT_ERROR, text("it does not like the map"));
  return PREPARE_STATUS;
}

static uint32_t release(void *prepared) {
  Map *map = prepared;
#ifndef LEAK_MAP
  free(map->hexes);
#endif
  free(map);
  return RELEASE_STATUS;
}

static int is_here(const Map *map, AlameinHexCoord hex) {
  for (size_t i = 0; i < map->count; i++)
    if (map->hexes[i].q == hex.q && map->hexes[i].r == hex.r) return 1;
  return 0;
}

// Which lines concern it is left to the host: all of them.
static uint32_t survey(void *prepared, uint8_t *interest, int16_t *levels, size_t len,
                       uint32_t *flags, AlameinTextSink error) {
  (void)prepared, (void)interest, (void)error;
  if (len && LEVEL) levels[0] = LEVEL;
#ifdef NO_INTEREST
  *flags = 0;
#else
  *flags = INTEREST ? INTEREST : ALAMEIN_INTEREST_EVERYTHING;
#endif
  return ALAMEIN_OK;
}

static uint32_t survey_sight(void *prepared, uint8_t *hexes, size_t len, uint32_t *counters,
                             uint32_t *flags, AlameinTextSink error) {
  const Map *map = prepared;
  (void)counters, (void)error;
  size_t at = 0;
  for (int16_t q = 0; q < (int16_t)map->columns; q++)
    for (int16_t row = q % 2 ? 0 : 1; row <= (int16_t)map->rows && at < len; row++, at++) {
      AlameinHexCoord here = {q, (int16_t)(row - q / 2)};
      if (is_here(map, here)) hexes[at] = SIGHT_MARK;
    }
  *flags = 0;
  return ALAMEIN_OK;
}

static uint32_t observe_lines(void *prepared, const AlameinLineBatch *batch, AlameinSink to) {
  const Map *map = prepared;
  IN_CALL;
  for (uint32_t i = 0; i < batch->lines.len; i++) {
    const AlameinLineView *line = alamein_at(batch->lines, i);
#ifndef NEVER_LOOKS
    if (map->host->budget_exhausted(map->host->ctx)) return finish(to, ALAMEIN_OUT_OF_TIME);
#endif
    AT_LINE;
    AlameinHexCoord here = line->to.hex;
    if (!is_here(map, here)) continue;
    AlameinObservation said = {OF,    RULE_INDEX, FACT, KIND, DRM, FLAGS, SUBJECT,
                               PLACE, 0,          0,    0};
    AlameinArray pushed = {&said, 1, STRIDE};
    uint32_t answer = to.push(to.ctx, pushed);
#ifdef DEAF
    (void)answer;
#else
    if (answer != ALAMEIN_OK) return finish(to, answer);
#endif
  }
  return finish(to, STATUS);
}

static uint32_t nothing_of_lines(void *prepared, const AlameinLineBatch *batch,
                                 const AlameinSeenView *seen, AlameinSink to) {
  (void)prepared, (void)batch, (void)seen, (void)to;
  return ALAMEIN_OK;
}

static uint32_t judge_lines(void *prepared, const AlameinLineBatch *batch,
                            const AlameinSeenView *seen, AlameinSink to) {
  nothing(prepared);
  (void)batch, (void)seen;
#ifdef EFFECT
  AlameinFinding said = {0, 0, EFFECT, ALAMEIN_NONE, 0, ALAMEIN_NONE, {0, {0, 0}, {0, 0}}, {NULL, 0, 0}};
  AlameinArray pushed = {&said, 1, sizeof said};
  to.push(to.ctx, pushed);
#endif
  return finish(to, ALAMEIN_OK);
}

static uint32_t observe_steps(void *prepared, const AlameinStepBatch *batch, AlameinSink to) {
  const Map *map = prepared;
  for (uint32_t i = 0; i < batch->steps.len; i++) {
    const AlameinStepView *step = alamein_at(batch->steps, i);
    if (step->kind != ALAMEIN_STEP_ENTER || !is_here(map, step->to)) continue;
    AlameinObservation said = {
        i,           0, ALAMEIN_FACT_COT, ALAMEIN_NONE, 2, 0, ALAMEIN_NONE, {ALAMEIN_PLACE_HEX, step->to, {0, 0}},
        0,           0, 0};
    AlameinArray pushed = {&said, 1, sizeof said};
    uint32_t answer = to.push(to.ctx, pushed);
    if (answer != ALAMEIN_OK) return finish(to, answer);
  }
  return ALAMEIN_OK;
}

static uint32_t nothing_of_steps(void *prepared, const AlameinStepBatch *batch,
                                 const AlameinSeenView *seen, AlameinSink to) {
  (void)prepared, (void)batch, (void)seen, (void)to;
  return ALAMEIN_OK;
}

static const AlameinBytes rules[] = {ALAMEIN_TEXT(RULE)};
static const AlameinBytes kinds[] = {ALAMEIN_TEXT("raw")};

static const AlameinTable functions = {
    .struct_size = TABLE_SIZE,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .release = release,
    .survey = survey,
    .observe_lines = observe_lines,
    .object_to_lines = nothing_of_lines,
    .judge_lines = JUDGE,
    .observe_steps = observe_steps,
    .object_to_steps = nothing_of_steps,
    .judge_steps = nothing_of_steps,
    .survey_sight = survey_sight,
};

ALAMEIN_EXPORT const AlameinDescriptor SYMBOL = {
    .magic = MAGIC,
    .abi_major = MAJOR,
    .abi_minor = MINOR,
    .struct_size = SIZE,
    .panic_strategy = PANIC,
    .rule_count = 1,
    .kind_count = 1,
    .reserved = RESERVED,
    .id = ALAMEIN_TEXT(ID),
    .version = ALAMEIN_TEXT(VERSION),
    .target = ALAMEIN_TEXT(ALAMEIN_TARGET),
    .build_id = ALAMEIN_TEXT(ALAMEIN_BUILD_ID),
    .manifest = ALAMEIN_TEXT(MANIFEST),
    .rules = rules,
    .kinds = kinds,
    .table = &functions,
};
