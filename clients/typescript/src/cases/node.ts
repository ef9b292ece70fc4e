import type { Words } from "./words.js";

/** What is wrong with a case file: the path of the field, and what it should be. */
export class CaseError extends Error {
  override readonly name = "CaseError";
  /** The path of the field, such as `map.layers.deir`. Of a question, it begins at the question. */
  readonly path: string;

  constructor(path: string, what: string) {
    super(path === "" ? what : `${path}: ${what}`);
    this.path = path;
  }
}

/** A value of a JSON document, which knows the path that leads to it. */
export class Node {
  readonly value: unknown;
  readonly path: string;

  constructor(value: unknown, path = "") {
    this.value = value;
    this.path = path;
  }

  wrong(what: string): CaseError {
    return new CaseError(this.path, what);
  }

  isObject(): boolean {
    return typeof this.value === "object" && this.value !== null && !Array.isArray(this.value);
  }

  object(): Record<string, unknown> {
    if (!this.isObject()) throw this.wrong("must be an object");
    return this.value as Record<string, unknown>;
  }

  /** The field of this name, unless it is absent or null. */
  get(name: string): Node | undefined {
    if (!this.isObject()) return undefined;
    const fields = this.value as Record<string, unknown>;
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return value === undefined || value === null ? undefined : new Node(value, this.#below(name));
  }

  /** The field of this name, which must be there. */
  need(name: string): Node {
    this.object();
    const field = this.get(name);
    if (!field) throw new CaseError(this.#below(name), "is missing");
    return field;
  }

  fields(): [string, Node][] {
    const fields = Object.entries(this.object());
    return fields.map(([name, value]) => [name, new Node(value, this.#below(name))]);
  }

  items(): Node[] {
    if (!Array.isArray(this.value)) throw this.wrong("must be a list");
    return this.value.map((value, at) => new Node(value, `${this.path}[${at}]`));
  }

  /** The items of a list that may be left out. */
  itemsOf(name: string): Node[] {
    return this.get(name)?.items() ?? [];
  }

  text(): string {
    if (typeof this.value !== "string") throw this.wrong("must be a text");
    return this.value;
  }

  flag(): boolean {
    if (typeof this.value !== "boolean") throw this.wrong("must be true or false");
    return this.value;
  }

  /** A whole number. */
  whole(): number {
    if (!Number.isSafeInteger(this.value)) throw this.wrong("must be a whole number");
    return this.value as number;
  }

  /** One of some words. */
  word<E>(words: Words<E>): E {
    const meaning = words.get(this.text());
    if (meaning === undefined) {
      throw this.wrong(`${JSON.stringify(this.value)} is none of ${[...words.keys()].join(", ")}`);
    }
    return meaning;
  }

  #below(name: string): string {
    return this.path === "" ? name : `${this.path}.${name}`;
  }
}
