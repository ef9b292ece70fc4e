import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The built `alamein` command. */
export const binary = process.env["ALAMEIN_BIN"];
/** The folder with the built plugins. */
export const plugins = process.env["ALAMEIN_PLUGINS"];

/** Whether there is a service to test against. */
export const isThere = Boolean(binary && plugins && existsSync(binary) && existsSync(plugins));

/** A service of its own for a test. It keeps things in a folder, so that it can be restarted. */
export class Service {
  /** Its address, such as `http://127.0.0.1:40123`. */
  readonly address: string;
  /** A folder for what goes with it. */
  readonly folder: string;
  readonly #flags: string[];
  #process: ChildProcess;

  private constructor(address: string, folder: string, flags: string[], process: ChildProcess) {
    this.address = address;
    this.folder = folder;
    this.#flags = flags;
    this.#process = process;
  }

  /** Starts a service on a free port, and waits until it is ready. */
  static async start(
    flags: string[] = [],
    scheme = "http",
    folder = newFolder(),
  ): Promise<Service> {
    const { process, address } = await launch("127.0.0.1:0", folder, flags);
    return new Service(`${scheme}://${address}`, folder, flags, process);
  }

  /** Stops it as an operator would. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGTERM");
    await ended;
  }

  /** Starts it again where it was. */
  async startAgain(): Promise<void> {
    const { process } = await launch(new URL(this.address).host, this.folder, this.#flags);
    this.#process = process;
  }

  /** Stops it, and takes its folder away. */
  async end(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A folder that goes when the service ends. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "alamein-ts-"));
}

async function launch(listen: string, folder: string, flags: string[]) {
  const store = join(folder, "store");
  const usual = ["--listen", listen, "--plugins", plugins ?? "", "--store", store];
  const brisk = ["--lame-duck", "0s", "--drain", "1s", "--store-builds", "false"];
  const child = spawn(binary ?? "", ["serve", ...usual, ...brisk, ...flags], {
    stdio: ["ignore", "ignore", "pipe"],
    cwd: folder,
  });
  const said: string[] = [];
  const lines = createInterface({ input: child.stderr });
  const address = await new Promise<string>((resolve, reject) => {
    let bound = "";
    const late = setTimeout(() => reject(new Error(`not ready:\n${said.join("\n")}`)), 50_000);
    child.once("exit", (code) => reject(new Error(`ended with ${code}:\n${said.join("\n")}`)));
    lines.on("line", (line) => {
      if (said.length < 200) said.push(line);
      bound ||= / listening address=(\S+)/.exec(line)?.[1] ?? "";
      if (!line.includes("rules in force")) return;
      clearTimeout(late);
      resolve(bound);
    });
  });
  return { process: child, address };
}
