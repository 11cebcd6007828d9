#!/usr/bin/env node
// Plain JavaScript that old Nodes can read: it finds a Node that can run the rest.
import { existsSync, readFileSync } from "fs";
import * as modules from "module";
import { dirname, join } from "path";
import { fileURLToPath, pathToFileURL } from "url";

const majorMin = 24;
const majorBest = 26;
/** The variable that tells the new Node that an old one waits for it. */
const launched = "DAYBOOK_LAUNCHED";
const self = fileURLToPath(import.meta.url);
const home = dirname(dirname(self));

if (majorOf(process.versions.node) >= majorMin) run();
else void hand(broughtNode());

function majorOf(version) {
  return Number(version.split(".")[0]);
}

/** A clone runs its source as it stands; a package brings it built. */
function run() {
  if (process.env[launched] !== undefined) endWithLauncher();
  // The stripped and compiled source is kept: the next start is faster, and needs no compiler in memory.
  const cache = modules.enableCompileCache();
  if (cache.directory !== undefined) process.env.NODE_COMPILE_CACHE = cache.directory; // for threads
  const built = join(home, "dist", "bin.js");
  if (existsSync(join(home, "src", "bin.ts"))) void import("../src/bin.ts");
  else if (existsSync(built)) void import(pathToFileURL(built).href);
  else complain("Daybook is not built: there is no " + built + ". Run `npm run build`.");
}

/** A launcher that was killed passes no signal on, but its channel closes. */
function endWithLauncher() {
  delete process.env[launched]; // programs that we start have another parent
  const end = () => process.kill(process.pid, "SIGTERM");
  if (!process.connected) return end();
  process.once("disconnect", end);
  process.channel.unref(); // it must not keep a command from ending
}

/** The Node that npm installed beside or above us: the package `node`, or its part for this machine. */
function broughtNode() {
  const nodePackage = packageFile("node", self);
  if (nodePackage === undefined) return undefined;
  const system = process.platform === "win32" ? "win" : process.platform;
  const names = ["node-", "node-bin-"].map((prefix) => prefix + system + "-" + process.arch);
  const files = [nodePackage].concat(names.map((name) => packageFile(name, nodePackage)));
  const program = process.platform === "win32" ? "node.exe" : "node";
  return files
    .filter((file) => file !== undefined && isNewEnough(file))
    .map((file) => join(dirname(file), "bin", program))
    .find(existsSync);
}

function packageFile(name, from) {
  try {
    return modules.createRequire(from).resolve(name + "/package.json");
  } catch {
    return undefined;
  }
}

function isNewEnough(file) {
  return majorOf(JSON.parse(readFileSync(file, "utf8")).version) >= majorMin;
}

/** Runs this file again under the other Node and ends as it ends. */
async function hand(node) {
  if (node === undefined) return complain(whatToDo());
  const { spawn } = await import("child_process"); // a new Node runs us by itself and does without
  const child = spawn(node, [self].concat(process.argv.slice(2)), {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: Object.assign({}, process.env, { [launched]: "1" }),
  });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  const passOn = (signal) => {
    // A terminal's Ctrl-C reaches the child by itself: a second one would ask it to hurry.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  signals.forEach((signal) => process.on(signal, passOn));
  child.on("error", (error) => complain("Cannot run " + node + ": " + error.message));
  child.on("exit", (code, signal) => {
    signals.forEach((each) => process.removeListener(each, passOn));
    if (signal === null) process.exitCode = code;
    else process.kill(process.pid, signal);
  });
}

function whatToDo() {
  return [
    "Daybook needs Node " + majorMin + " or newer; this is " + process.version + ".",
    "In a clone run `npm ci`: it brings that Node along.",
    "Otherwise run `npm install node@" +
      majorBest +
      "` beside daybook, or install Node " +
      majorBest +
      " from https://nodejs.org.",
  ].join("\n");
}

function complain(text) {
  process.stderr.write(text + "\n");
  process.exitCode = 1;
}
