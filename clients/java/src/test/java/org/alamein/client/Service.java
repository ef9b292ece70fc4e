package org.alamein.client;

import static org.junit.jupiter.api.Assertions.fail;

import io.grpc.Status;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** A running service: the real one, on a free port of this machine. */
final class Service implements AutoCloseable {
  /** How long it may take to start, or to stop. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Pattern LISTENING = Pattern.compile("listening address=(\\S+)");

  private final Process process;
  private final StringBuffer log = new StringBuffer();
  private final CompletableFuture<String> address = new CompletableFuture<>();

  private Service(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "log of the service");
    reader.setDaemon(true);
    reader.start();
  }

  /** The command, or a test that is skipped; one that fails where CI is set. */
  static String binary() {
    String binary = System.getenv("ALAMEIN_BIN");
    if (binary == null) {
      String missing =
          "ALAMEIN_BIN must name the `alamein` command, and ALAMEIN_PLUGINS the folder of plugins";
      if (System.getenv("CI") != null) {
        fail(missing);
      }
      System.err.println("SKIPPED, NOTHING IS TESTED: " + missing);
      Assumptions.abort(missing);
    }
    return binary;
  }

  /**
   * Starts a service with these arguments of `alamein serve`, where they say nothing of it in
   * memory.
   */
  static Service start(String... arguments) {
    List<String> command = new ArrayList<>(List.of(binary(), "serve"));
    command.addAll(List.of(arguments));
    add(command, "--listen", "127.0.0.1:0");
    add(command, "--store", "memory");
    add(command, "--lame-duck", "0s");
    String plugins = System.getenv("ALAMEIN_PLUGINS");
    if (plugins != null) {
      add(command, "--plugins", plugins);
    }
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("ALAMEIN_"));
    try {
      builder.directory(Files.createTempDirectory("alamein").toFile());
      Service service = new Service(builder.start());
      service.address();
      return service;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private static void add(List<String> command, String flag, String value) {
    if (!command.contains(flag)) {
      command.addAll(List.of(flag, value));
    }
  }

  private void read() {
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        log.append(line).append('\n');
        Matcher found = LISTENING.matcher(line);
        if (found.find()) {
          address.complete(found.group(1));
        }
      }
    } catch (IOException ended) {
      log.append(ended).append('\n');
    }
    address.completeExceptionally(new IllegalStateException("it ended:\n" + log));
  }

  /** Where it listens. */
  String address() {
    try {
      return address.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException | TimeoutException | java.util.concurrent.ExecutionException e) {
      kill();
      throw new AssertionError("the service does not listen:\n" + log, e);
    }
  }

  /** A client of it, when it is ready to judge. */
  AlameinClient client() {
    return ready(AlameinClient.builder(address()));
  }

  /** A client of it, of another make. */
  AlameinClient ready(AlameinClientBuilder builder) {
    AlameinClient client = builder.build();
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < until) {
      try {
        if (client.isServing()) {
          return client;
        }
      } catch (AlameinException error) {
        if (!error.isTransient() && error.code() != Status.Code.DEADLINE_EXCEEDED) {
          throw error;
        }
      }
      pause(20);
    }
    client.close();
    return fail("the service is not ready:\n" + log);
  }

  /** Sends it a signal, by name. */
  void signal(String name) {
    run(Path.of("."), "kill", "-" + name, Long.toString(process.pid()));
  }

  /** Waits until it has ended. */
  void await() {
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        fail("the service does not end:\n" + log);
      }
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  /** Ends it at once, as a crash would, and waits until it is gone. */
  void kill() {
    process.destroyForcibly();
    await();
  }

  @Override
  public void close() {
    kill();
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  /** Runs a command in a folder, and gives what it prints. */
  static String run(Path folder, String... command) {
    try {
      Path complaints = Files.createTempFile("complaints", ".txt");
      ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
      Process process = builder.redirectError(complaints.toFile()).start();
      String said = new String(process.getInputStream().readAllBytes());
      if (process.waitFor() != 0) {
        fail(String.join(" ", command) + "\n" + said + Files.readString(complaints));
      }
      Files.delete(complaints);
      return said;
    } catch (IOException | InterruptedException error) {
      throw new AssertionError(error);
    }
  }
}
