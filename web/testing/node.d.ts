// The few types of Node that the kit and its example use, for type checks without @types/node.

declare const process: {
  arch: string;
  env: Record<string, string | undefined>;
  platform: string;
  getuid(): number;
  stdin: unknown;
  stdout: { write(text: string): boolean };
  emitWarning(warning: Error): void;
  once(event: "exit", listener: () => void): void;
  off(event: "exit", listener: () => void): void;
};

interface NodeBytes extends Uint8Array<ArrayBuffer> {
  toString(encoding?: "base64"): string;
}

declare const Buffer: {
  from(content: string, encoding?: "base64"): NodeBytes;
  from(content: ArrayBuffer | ArrayBufferLike, offset?: number, length?: number): NodeBytes;
};

declare module "node:child_process" {
  interface Output {
    on(event: "data", listener: (data: Uint8Array) => void): void;
    once(event: "data", listener: () => void): void;
  }
  export interface ChildProcess {
    exitCode: number | null;
    signalCode: string | null;
    stdout: Output;
    stderr: Output;
    kill(signal?: string): boolean;
    once(event: "error", listener: (error: Error) => void): void;
    once(event: "exit" | "close", listener: (code: number | null) => void): void;
  }
  export function spawn(
    program: string,
    options: string[],
    how: { cwd?: string | URL; env: Record<string, string | undefined>; stdio: string[] },
  ): ChildProcess;
}

declare module "node:crypto" {
  export function randomBytes(count: number): { toString(encoding: "hex"): string };
}

declare module "node:fs" {
  export function existsSync(path: string): boolean;
}

declare module "node:module" {
  export function createRequire(address: string): { resolve(name: string): string };
}

declare module "node:fs/promises" {
  export function readFile(path: string, encoding: "utf8"): Promise<string>;
  export function mkdir(path: string, options: { recursive: boolean }): Promise<unknown>;
  export function writeFile(path: string, text: string): Promise<void>;
}

declare module "node:path" {
  export function join(...paths: string[]): string;
}

declare module "node:readline" {
  export function createInterface(options: { input: unknown }): { on(event: "line", listener: (text: string) => void): void };
}

declare module "node:url" {
  export function fileURLToPath(url: URL): string;
}

declare module "node:assert/strict" {
  export function equal(actual: unknown, expected: unknown): void;
}

declare module "node:test" {
  export function test(name: string, body: () => Promise<void>): void;
  export function before(body: () => Promise<void>): void;
  export function after(body: () => Promise<void>): void;
}
