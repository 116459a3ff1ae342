import { type BundlingOptions, OutputFormat, SourceMapMode } from "aws-cdk-lib/aws-lambda-nodejs";

/**
 * ESM, minified, source maps beside the code. The AWS SDK is bundled on purpose: the version that was tested is the one that
 * runs, only the three clients that are used are loaded, and a cold start reads one file. CommonJS dependencies of the SDK ask
 * for `require`, which ESM lacks: hence the banner.
 */
export const QUERY_BUNDLING: BundlingOptions = {
  format: OutputFormat.ESM,
  target: "node22",
  minify: true,
  sourceMap: true,
  sourceMapMode: SourceMapMode.EXTERNAL,
  sourcesContent: false,
  mainFields: ["module", "main"],
  externalModules: [],
  banner: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
};
