// Prints what pi's own session manager makes of session files: one JSON line a file with its leaf, the
// path to it, and the context of that path. The files are opened as pi opens them.
//   PI_DIR=<folder of @earendil-works/pi-coding-agent> node pi-paths.mjs FILE...
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { SessionManager, buildSessionContext } = await import(
	pathToFileURL(join(process.env.PI_DIR, "dist/core/session-manager.js")).href
);
for (const file of process.argv.slice(2)) {
	const session = SessionManager.open(file);
	const { messages, thinkingLevel, model } = buildSessionContext(session.getEntries(), session.getLeafId());
	console.log(JSON.stringify({
		file,
		leaf: session.getLeafId(),
		path: session.getBranch().map((entry) => entry.id),
		roles: messages.map((message) => message.role),
		thinkingLevel,
		model,
	}));
}
