package org.alamein.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Does what the README says, from an empty folder, and compares what is printed. */
@Timeout(600)
class ReadmeTest {
  /** The version of this client, as its `pom.xml` has it. */
  private static final String VERSION = System.getProperty("alamein.version");

  @Test
  void theReadmeLeadsToARuling(@TempDir Path folder) throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    String install = blocks(readme, "sh").get(0);
    assertEquals("mvn -q -f alamein/clients/java install -DskipTests\n", install);
    // ci.sh has just done so, and says it.
    if (System.getenv("ALAMEIN_CLIENT_INSTALLED") == null) {
      copy(Path.of("."), folder.resolve("alamein/clients/java"));
      copy(Path.of("../../proto"), folder.resolve("alamein/proto"));
      bash(folder, install);
    }
    Path table = Files.createDirectory(folder.resolve("table"));
    Files.writeString(table.resolve("pom.xml"), blocks(readme, "xml").get(0));
    String program = blocks(readme, "java").get(0);
    assertTrue(program.contains("\"localhost:50051\""));
    try (Service service = Service.start();
        AlameinClient client = service.client()) {
      assertTrue(client.isServing());
      Path sources = Files.createDirectories(table.resolve("src/main/java"));
      Files.writeString(
          sources.resolve("Table.java"), program.replace("localhost:50051", service.address()));
      assertEquals(blocks(readme, "text").get(0), bash(table, blocks(readme, "sh").get(1)));
    }
  }

  @Test
  void itIsOfTheVersionOfTheService() throws IOException {
    String manifest = Files.readString(Path.of("../../Cargo.toml"));
    assertTrue(manifest.contains("\nversion = \"" + VERSION + "\"\n"), VERSION);
    String example = blocks(Files.readString(Path.of("README.md")), "xml").get(0);
    assertTrue(example.contains("<version>" + VERSION + "</version>"), VERSION);
  }

  /** The parts of a page that are set in a language. */
  private static List<String> blocks(String page, String language) {
    Pattern block =
        Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    return block.matcher(page).results().map((MatchResult it) -> it.group(1)).toList();
  }

  private static String bash(Path folder, String script) {
    // Maven ends what it prints by setting colours back.
    String said = Service.run(folder, "bash", "-euo", "pipefail", "-c", script);
    return said.replaceAll("\u001b\\[[0-9;]*m", "");
  }

  /** Copies sources, and nothing that was built of them. */
  private static void copy(Path from, Path to) throws IOException {
    try (var all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Path seen = from.relativize(path);
        if (!seen.startsWith("target")) {
          Files.createDirectories(to.resolve(seen).getParent());
          if (Files.isRegularFile(path)) {
            Files.copy(path, to.resolve(seen));
          }
        }
      }
    }
  }
}
