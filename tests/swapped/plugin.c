// A house rule of which a test builds one version after the other: every target has VALUE TEM, and no
// other of deirs. The number is in the code, so that a ruling tells which code it came from.

#include "alamein.h"
#include "value.h"

static const AlameinBytes rules[] = {ALAMEIN_TEXT("H1/tem")};
static const AlameinBytes kinds[] = {ALAMEIN_TEXT("location")};

static AlameinStatus create(const AlameinHost *host, AlameinBytes options, AlameinInstance *made,
                            AlameinTextSink error) {
  (void)host, (void)options, (void)error;
  *made = (void *)rules;
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

static AlameinStatus survey(AlameinPrepared prepared, uint8_t *interest, int16_t *levels,
                            size_t len, uint32_t *flags, AlameinTextSink error) {
  (void)prepared, (void)interest, (void)levels, (void)len, (void)error;
  *flags = ALAMEIN_INTEREST_EVERYTHING;
  return ALAMEIN_OK;
}

static AlameinStatus observe_lines(AlameinPrepared prepared, const AlameinLineBatch *batch,
                                   AlameinSink sink) {
  (void)prepared, (void)batch, (void)sink;
  return ALAMEIN_OK;
}

static AlameinStatus object_to_lines(AlameinPrepared prepared, const AlameinLineBatch *batch,
                                     const AlameinSeenView *views, AlameinSink sink) {
  (void)prepared, (void)batch, (void)views, (void)sink;
  return ALAMEIN_OK;
}

static AlameinStatus judge_lines(AlameinPrepared prepared, const AlameinLineBatch *batch,
                                 const AlameinSeenView *views, AlameinSink sink) {
  (void)prepared, (void)views;
  for (size_t i = 0; i < batch->lines.len; i++) {
    const AlameinFinding tem = {
        .of = (uint32_t)i,
        .rule = 0,
        .effect = ALAMEIN_EFFECT_TEM,
        .kind = 0,
        .value = VALUE,
        .subject = ALAMEIN_NONE,
        .place = {ALAMEIN_PLACE_WHOLE, {0, 0}, {0, 0}},
        .cites = {NULL, 0, sizeof(uint32_t)},
    };
    const AlameinArray one = {&tem, 1, sizeof tem};
    AlameinStatus status = sink.push(sink.ctx, one);
    if (status != ALAMEIN_OK) {
      return status;
    }
  }
  return ALAMEIN_OK;
}

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

static const AlameinTable table = {
    .struct_size = sizeof table,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .release = destroy,
    .survey = survey,
    .observe_lines = observe_lines,
    .object_to_lines = object_to_lines,
    .judge_lines = judge_lines,
    .observe_steps = observe_steps,
    .object_to_steps = answer_steps,
    .judge_steps = answer_steps,
};

ALAMEIN_EXPORT const AlameinDescriptor alamein_plugin_swapped = {
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
