package org.alamein.client;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alamein.v1.LayerSchema;
import org.alamein.v1.ReportValue;
import org.alamein.v1.RuleReport;
import org.alamein.v1.Ruleset;

/** What a ruleset's plugins say of case files. */
final class Known {
  final Map<String, LayerSchema> layers = new HashMap<>();

  /** The keys that some rule reports, items left out, and how the value comes about. */
  final Map<String, Set<ReportValue>> keys = new HashMap<>();

  /** The options that differ from their defaults, by plugin. */
  final JsonObject options = new JsonObject();

  private final Map<List<String>, List<RuleReport>> reports = new HashMap<>();

  Known(Ruleset ruleset) {
    for (var plugin : ruleset.getPluginsList()) {
      plugin.getLayersList().forEach(layer -> layers.put(layer.getName(), layer));
      for (var rule : plugin.getRulesList()) {
        reports.put(List.of(plugin.getPluginId(), rule.getRuleId()), rule.getReportsList());
        for (RuleReport report : rule.getReportsList()) {
          if (report.getValue() != ReportValue.REPORT_VALUE_ITEM) {
            keys.computeIfAbsent(report.getKey(), key -> EnumSet.noneOf(ReportValue.class))
                .add(report.getValue());
          }
        }
      }
      JsonObject differing = new JsonObject();
      for (var option : plugin.getOptionsList()) {
        JsonElement value = JsonParser.parseString(option.getValueJson());
        if (!value.equals(JsonParser.parseString(option.getDefaultJson()))) {
          differing.add(option.getName(), value);
        }
      }
      if (!differing.isEmpty()) {
        options.add(plugin.getPluginId(), differing);
      }
    }
  }

  /** What a rule reports. */
  List<RuleReport> reports(String plugin, String rule) {
    return reports.getOrDefault(List.of(plugin, rule), List.of());
  }
}
