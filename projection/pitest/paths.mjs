// Prints for each session file that is named on standard input, a name a line, what pi's own session manager makes of it:
// one JSON line with its leaf and the path to it. The files are opened as pi opens them.
// PI_DIR is the folder of pi's package.
import { createInterface } from "node:readline";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { SessionManager } = await import(pathToFileURL(join(process.env.PI_DIR, "dist/core/session-manager.js")).href);

for await (const file of createInterface({ input: process.stdin })) {
	const session = SessionManager.open(file);
	console.log(JSON.stringify({ leaf: session.getLeafId(), path: session.getBranch().map((entry) => entry.id) }));
}
