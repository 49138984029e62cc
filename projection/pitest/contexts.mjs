// Prints what pi's session manager makes of session files: one JSON line for
// each file name that is read from standard input. PI_DIR is pi's package folder.
import { createInterface } from "node:readline";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const pi = await import(pathToFileURL(join(process.env.PI_DIR, "dist/core/session-manager.js")).href);

// pi itself never ends on a cycle.
function cycle(entries) {
	const byId = new Map(entries.map((e) => [e.id, e]));
	const seen = new Set();
	for (let e = entries.at(-1); e; e = e.parentId ? byId.get(e.parentId) : undefined) {
		if (seen.has(e)) return true;
		seen.add(e);
	}
	return false;
}

for await (const file of createInterface({ input: process.stdin })) {
	let answer;
	try {
		const lines = pi.loadEntriesFromFile(file);
		pi.migrateSessionEntries(lines);
		const entries = lines.filter((e) => e.type !== "session");
		if (cycle(entries)) {
			answer = { skip: "cycle" };
		} else {
			const leaf = entries.at(-1)?.id;
			const projection = pi.buildSessionProjection(entries, leaf);
			answer = {
				sources: projection.entries.flatMap((p) => p.messages.map(() => p.sourceEntry.id)),
				context: pi.buildSessionContext(entries, leaf),
			};
		}
	} catch (error) {
		answer = { skip: `pi fails: ${error.message}` };
	}
	console.log(JSON.stringify(answer));
}
