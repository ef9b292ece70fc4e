package org.alamein.client;

import static org.alamein.client.Examples.deir;
import static org.alamein.client.Examples.shot;
import static org.alamein.client.Positions.on;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import org.alamein.v1.ErrorReason;
import org.alamein.v1.ListRulesetsRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class AccessTest {
  private static final String SECRET = "not-a-secret";

  /** A certificate and its key, and that of who vouches for it, as files in PEM. */
  private record Certified(Path certificate, Path key, Path authority) {
    /** Makes them with the tool that every JDK has. */
    static Certified make(Path folder, String name) throws Exception {
      Path store = folder.resolve(name + ".p12");
      keytool(
          folder,
          store,
          "-genkeypair",
          "-alias",
          "ca",
          "-keyalg",
          "RSA",
          "-keysize",
          "2048",
          "-ext",
          "bc:c",
          "-dname",
          "CN=authority of " + name);
      keytool(
          folder,
          store,
          "-genkeypair",
          "-alias",
          "leaf",
          "-keyalg",
          "RSA",
          "-keysize",
          "2048",
          "-dname",
          "CN=" + name);
      keytool(folder, store, "-certreq", "-alias", "leaf", "-file", name + ".csr");
      keytool(
          folder,
          store,
          "-gencert",
          "-alias",
          "ca",
          "-rfc",
          "-validity",
          "365",
          "-ext",
          "san=dns:localhost,ip:127.0.0.1",
          "-infile",
          name + ".csr",
          "-outfile",
          name + ".pem");
      keytool(folder, store, "-exportcert", "-alias", "ca", "-rfc", "-file", name + "-ca.pem");
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(store)) {
        keys.load(in, SECRET.toCharArray());
      }
      byte[] key = keys.getKey("leaf", SECRET.toCharArray()).getEncoded();
      String pem =
          "-----BEGIN PRIVATE KEY-----\n"
              + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                  .encodeToString(key)
              + "\n-----END PRIVATE KEY-----\n";
      Path keyFile = Files.writeString(folder.resolve(name + "-key.pem"), pem);
      assertTrue(
          keyFile.toFile().setReadable(false, false) && keyFile.toFile().setReadable(true, true));
      return new Certified(
          folder.resolve(name + ".pem"), keyFile, folder.resolve(name + "-ca.pem"));
    }

    private static void keytool(Path folder, Path store, String... arguments) {
      List<String> command =
          new ArrayList<>(
              List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
      command.addAll(Arrays.asList(arguments));
      command.addAll(List.of("-keystore", store.toString(), "-storepass", SECRET));
      Service.run(folder, command.toArray(String[]::new));
    }
  }

  /** Makes a token and adds it to a file. */
  private static String token(Path file, String... arguments) {
    List<String> command = new ArrayList<>(List.of(Service.binary(), "token", "new"));
    command.addAll(List.of("--file", file.toString(), "--tenant", "club"));
    command.addAll(Arrays.asList(arguments));
    return Service.run(Path.of("."), command.toArray(String[]::new)).strip();
  }

  private static AlameinException refused(AlameinClient client) {
    return assertThrows(AlameinException.class, () -> client.adjudicate(on(deir()), shot("")));
  }

  @Test
  void speaksTlsAndBearsATokenAndACertificate(@TempDir Path folder) throws Exception {
    Service.binary();
    Certified theirs = Certified.make(folder, "service");
    Certified ours = Certified.make(folder, "player");
    Path tokens = folder.resolve("tokens.toml");
    String reads = token(tokens, "--scope", "adjudicate");
    byte[] authority = Files.readAllBytes(theirs.authority());
    byte[] certificate = Files.readAllBytes(ours.certificate());
    byte[] key = Files.readAllBytes(ours.key());
    try (Service service =
        Service.start(
            "--tokens",
            tokens.toString(),
            "--tls-cert",
            theirs.certificate().toString(),
            "--tls-key",
            theirs.key().toString(),
            "--tls-client-ca",
            ours.authority().toString(),
            "--tls-client-required")) {
      String address = "https://" + service.address();
      UnaryOperator<AlameinClientBuilder> known =
          builder -> builder.trusted(authority).identity(certificate, key);
      try (AlameinClient client =
          service.ready(known.apply(AlameinClient.builder(address)).token(reads + "\n"))) {
        assertTrue(client.adjudicate(on(deir()), shot("")).getVerdict().hasLineOfFire());
        var error = assertThrows(AlameinException.class, () -> client.createPosition(deir()));
        assertEquals(ErrorReason.ERROR_REASON_SCOPE_MISSING, error.reason());
        assertEquals(Status.Code.PERMISSION_DENIED, error.code());
        assertEquals("positions:write", error.metadata().get("scope"));
      }
      try (AlameinClient stranger =
          service.ready(known.apply(AlameinClient.builder(address)).token("x".repeat(40)))) {
        assertEquals(ErrorReason.ERROR_REASON_TOKEN_INVALID, refused(stranger).reason());
      }
      // Whom one does not trust gets no token, and who has no certificate gets nowhere.
      List<UnaryOperator<AlameinClientBuilder>> others =
          List.of(
              builder -> builder.identity(certificate, key).token(reads),
              builder -> builder.trusted(authority).token(reads),
              builder -> builder.trusted(certificate).identity(certificate, key).token(reads));
      for (var other : others) {
        var builder = AlameinClient.builder(address).timeout(Duration.ofSeconds(2));
        try (AlameinClient client = other.apply(builder).build()) {
          assertThrows(AlameinException.class, client::isServing);
        }
      }
    }
  }

  @Test
  void comesBackWhenTheServiceSaysSo(@TempDir Path folder) {
    Path tokens = folder.resolve("tokens.toml");
    String few =
        token(tokens, "--scope", "adjudicate", "--requests-per-second", "4", "--burst", "1");
    Retry never = new Retry(1, Duration.ofMillis(1), Duration.ofMillis(1), 0);
    try (Service service = Service.start("--tokens", tokens.toString());
        AlameinClient nobody = service.client();
        AlameinClient patient = service.ready(AlameinClient.builder(service.address()).token(few));
        AlameinClient impatient =
            service.ready(AlameinClient.builder(service.address()).token(few).retry(never))) {
      assertEquals(ErrorReason.ERROR_REASON_CREDENTIALS_MISSING, refused(nobody).reason());
      AlameinException error = null;
      for (int call = 0; call < 20 && error == null; call++) {
        try {
          list(impatient);
        } catch (AlameinException refused) {
          error = refused;
        }
      }
      assertEquals(ErrorReason.ERROR_REASON_QUOTA_EXCEEDED, error.reason());
      assertFalse(error.retryDelay().orElseThrow().isNegative());
      for (int call = 0; call < 4; call++) {
        list(patient);
      }
    }
  }

  private static void list(AlameinClient client) {
    client.call(client.rulesets()::listRulesets, ListRulesetsRequest.getDefaultInstance());
  }

  @Test
  void settingsThatMakeNoSenseAreNamed() {
    byte[] key = "no certificate".getBytes(StandardCharsets.UTF_8);
    wrong(
        "token", () -> AlameinClient.builder("http://rules.example.org:1").token("secret").build());
    wrong("token", () -> AlameinClient.builder("10.0.0.1:1").token("secret").build());
    wrong("token", () -> AlameinClient.builder("localhost.example.org").token("secret").build());
    wrong("token", () -> AlameinClient.builder("localhost").token("two words"));
    wrong("address", () -> AlameinClient.builder("ftp://localhost").build());
    wrong("address", () -> AlameinClient.builder("http://localhost").trusted(key).build());
    wrong("address", () -> AlameinClient.builder("localhost:50051/path").build());
    wrong("address", () -> AlameinClient.builder("").build());
    wrong("timeout", () -> AlameinClient.builder("localhost").timeout(Duration.ZERO));
    wrong("longest answer", () -> AlameinClient.builder("localhost").longestAnswer(0));
    wrong("trusted", () -> AlameinClient.builder("localhost").trusted(key).build().isServing());
    wrong(
        "identity",
        () -> AlameinClient.builder("localhost").identity(key, key).build().isServing());
    for (String fine :
        List.of("localhost", "http://127.0.0.1:1", "[::1]:1", "https://rules.example.org")) {
      AlameinClient.builder(fine).token("secret").build().close();
    }
  }

  private static void wrong(String what, org.junit.jupiter.api.function.Executable make) {
    var error = assertThrows(IllegalArgumentException.class, make);
    assertTrue(error.getMessage().startsWith(what + ": "), error.getMessage());
    assertFalse(error.getMessage().contains("secret"), error.getMessage());
  }
}
