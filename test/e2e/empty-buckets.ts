import { DeleteObjectsCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import type { Deployment } from "./deployment.js";

/** What `aws s3 rm --recursive` does before a stack can go: CloudFormation deletes no bucket that holds something. */
export async function emptyBuckets({ s3, query }: Deployment, stacks: readonly string[]): Promise<void> {
  for (const stack of stacks) {
    const { bucketName: Bucket } = query(stack);
    for (;;) {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
      if (Contents.length === 0) break;
      await s3.send(
        new DeleteObjectsCommand({
          Bucket,
          Delete: { Objects: Contents.map(({ Key }) => ({ Key: Key! })), Quiet: true },
        }),
      );
    }
  }
}
