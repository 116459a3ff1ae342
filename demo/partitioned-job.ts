import type { Job } from "./job.js";

/** The job over several state partitions; one: as it is. */
export const partitionedJob = (job: Job, partitions: number): Job =>
  partitions === 1
    ? job
    : {
        ...job,
        title: `${job.title}, over ${partitions} state partitions`,
        queryFile: job.queryFile.replace("functions/", "demo/partitioned-"),
        queryName: `${job.queryName}-${partitions}`,
      };
