import { createHash, createHmac } from "node:crypto";

export interface AwsCall {
  /** As in the credential scope: `logs`, `lambda`. */
  readonly service: string;
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** One POST with Signature Version 4, for the two services whose SDK nothing else here needs. */
export async function awsCall<T>({ service, path = "/", query = "", headers = {}, body }: AwsCall): Promise<T> {
  const region = process.env["AWS_REGION"] ?? "us-east-1";
  const endpoint = new URL(process.env["AWS_ENDPOINT_URL"] ?? `https://${service}.${region}.amazonaws.com`);
  const payload = JSON.stringify(body);
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const token = process.env["AWS_SESSION_TOKEN"];
  const signed: Record<string, string> = {
    ...headers,
    host: endpoint.host,
    "x-amz-date": time,
    ...(token === undefined ? {} : { "x-amz-security-token": token }),
  };
  const names = Object.keys(signed).sort();
  const canonical = ["POST", path, query, ...names.map((name) => `${name}:${signed[name]}`), "", names.join(";")];
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256([...canonical, sha256(payload)].join("\n"))].join("\n");
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${process.env["AWS_SECRET_ACCESS_KEY"] ?? ""}`);
  const credential = `${process.env["AWS_ACCESS_KEY_ID"] ?? ""}/${scope}`;
  const signature = createHmac("sha256", key).update(toSign).digest("hex");
  const { host: _, ...sent } = signed;
  const response = await fetch(new URL(`${path}${query === "" ? "" : `?${query}`}`, endpoint), {
    method: "POST",
    headers: {
      ...sent,
      authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(";")}, Signature=${signature}`,
    },
    body: payload,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${service} answered ${response.status}: ${text.slice(0, 300)}`);
  return (text === "" ? {} : JSON.parse(text)) as T;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, part: string): Buffer => createHmac("sha256", key).update(part).digest();
