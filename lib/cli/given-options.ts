import { checkFileOptions, type FileOptions, fileOptionOf } from "../plan/connectors/file-options.js";
import { UsageError } from "./command.js";

/** `--option NAME=VALUE`, one for each. @throws `option-unknown`, `option-invalid`, `time-pattern` */
export function givenOptions(given: readonly string[]): FileOptions {
  const options = given.map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw new UsageError(`--option takes NAME=VALUE, not '${text}'.`);
    return fileOptionOf(text.slice(0, at), text.slice(at + 1));
  });
  const all: FileOptions = Object.assign({}, ...options);
  checkFileOptions(all);
  return all;
}
