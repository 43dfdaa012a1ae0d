/** Options of `pgfsm run` in camel case (`maxTime: '30s'`, `noSave: true`), and those of these modules. */
export interface Options {
  /** Number of sequences to try. */
  examples?: number;
  /** Maximum number of steps in a sequence. */
  steps?: number;
  /** The same seed gives the same run; without it, pgfsm draws one and reports it. */
  seed?: number;
  /** Stop each machine after this time: `30s`, `5m`. */
  maxTime?: string;
  /** The database; without it, the one that the environment names, or else a server that pgfsm starts. */
  dbname?: string;
  /** Go on until there are so many different failures. */
  maxFailures?: number;
  /** SQL files to load after the schema. */
  apply?: string | string[];
  /** The program, in place of the one that is installed with this package or on the PATH. */
  program?: string;
  /** Where paths begin, and pgfsm writes its files. By default the current folder. */
  cwd?: string;
  /** Milliseconds that a machine may take. By default there is no limit. */
  timeout?: number;
  /** Where the HTML page of the run goes; false: nowhere. By default `.pgfsm/FILE.html`. */
  page?: string | false;
  [option: string]: string | number | boolean | string[] | undefined;
}

/** Registers each property of each machine as a test. Patterns may have `*`, `?` and `**`. */
export declare function machines(patterns: string | string[], options?: Options): void;
export declare const machine: typeof machines;
