/** A mistake in data, a script or an argument. Its message says in one line what was found and what was expected. */
export class CruxFault extends Error {}

/** What a task computed: see crux_call in crux.h. */
export interface Answer {
  /** What the command prints with --format json. */
  result: any;
  /** The tables that the command prints, with every column. */
  tables: { title: string | null; rows: Record<string, any>[] }[];
  /** Sentences about the result. */
  notes: string[];
  /** Lines about the data. */
  remarks: string[];
}

/** Options by name, as the command of the same name takes them (`crux help rate`); an option that is a list has an array. */
export type Options = Record<string, string | number | boolean | (string | number)[]>;

export interface Crux {
  /** The declarations of all tasks by name: summary, details, and options with doc, type, range, default and choices. */
  tasks(): Record<string, any>;
  /** Calls a task by name, or that of a script by its path. Throws CruxFault. */
  task(name: string, options?: Options): Answer;
  /** Writes a file into the memory of this engine, where tasks find it: text, bytes, or rows of a dataset. */
  write(path: string, content: string | Uint8Array | Record<string, any>[]): void;
  /** The text of a file in the memory of this engine. */
  read(path: string): string;
  /** Limits of each call of a script's function; 0 or nothing: none. */
  limit(limits: { seconds?: number; megabytes?: number; instructions?: number }): void;
  games(options?: Options): Answer;
  rules(options?: Options): Answer;
  measure(options?: Options): Answer;
  rate(options?: Options): Answer;
  solve(options?: Options): Answer;
  fit(options?: Options): Answer;
  evaluate(options?: Options): Answer;
  compare(options?: Options): Answer;
}

/** Starts crux: an engine with a memory of its own. */
export function load(): Promise<Crux>;
