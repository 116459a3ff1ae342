import { Aws } from "aws-cdk-lib";
import type * as ec2 from "aws-cdk-lib/aws-ec2";
import * as iam from "aws-cdk-lib/aws-iam";
import * as lambda from "aws-cdk-lib/aws-lambda";
import type * as secretsmanager from "aws-cdk-lib/aws-secretsmanager";
import { userError } from "../lib/errors.js";
import type { KafkaSourceConnector } from "../lib/plan/connectors/source-connector.js";

/** How Lambda reaches the cluster of a Kafka source. */
export interface KafkaConnection {
  /** Of an MSK cluster. Absent: a self-managed one, at the `bootstrapServers` of the source. */
  readonly clusterArn?: string;
  /** Default: none (MSK: unauthenticated; self-managed: by network alone). `iam` is MSK's, the others read the secret. */
  readonly authentication?: KafkaAuthentication;
  /** Of a self-managed cluster in a VPC: where Lambda's pollers stand. */
  readonly vpc?: ec2.IVpc;
  readonly vpcSubnets?: ec2.SubnetSelection;
  readonly securityGroup?: ec2.ISecurityGroup;
  /** Default: the query's name, so that a replaced mapping goes on where the old one stood. */
  readonly consumerGroupId?: string;
  /** Event pollers of the mapping, at least one: partial answers exist in provisioned mode only. */
  readonly minimumPollers?: number;
  readonly maximumPollers?: number;
}

export type KafkaAuthentication =
  | { readonly kind: "iam" }
  | {
      readonly kind: "scram-sha-512" | "scram-sha-256" | "basic" | "mtls";
      readonly secret: secretsmanager.ISecret;
      /** Of a private certificate authority. */
      readonly serverRootCaCertificate?: secretsmanager.ISecret;
    };

const ACCESS = {
  "scram-sha-512": lambda.SourceAccessConfigurationType.SASL_SCRAM_512_AUTH,
  "scram-sha-256": lambda.SourceAccessConfigurationType.SASL_SCRAM_256_AUTH,
  basic: lambda.SourceAccessConfigurationType.BASIC_AUTH,
  mtls: lambda.SourceAccessConfigurationType.CLIENT_CERTIFICATE_TLS_AUTH,
} as const;

/**
 * What the mapping of a Kafka source is made of. No destination for failed batches: with one, Lambda would give a batch up after ten
 * attempts, and rows would be lost.
 * @throws `kafka-connection-missing`
 */
export function kafkaMapping(
  name: string,
  source: KafkaSourceConnector,
  connection: KafkaConnection | undefined,
  queryName: string,
): Partial<lambda.EventSourceMappingOptions> {
  const servers = (source.bootstrapServers ?? "").split(",").flatMap((server) => server.trim() || []);
  const clusterArn = connection?.clusterArn;
  if (clusterArn === undefined && servers.length === 0)
    throw userError(
      "kafka-connection-missing",
      `Nothing says where the cluster of the topic '${source.topic}' is.`,
      `Give the construct kafka: { ${JSON.stringify(name)}: { clusterArn } } for MSK, or the source bootstrapServers.`,
    );
  const access = accessConfigurations(connection ?? {});
  return {
    kafkaTopic: source.topic,
    kafkaConsumerGroupId: connection?.consumerGroupId ?? queryName,
    ...(clusterArn === undefined ? { kafkaBootstrapServers: servers } : { eventSourceArn: clusterArn }),
    ...(access.length === 0 ? {} : { sourceAccessConfigurations: access }),
    provisionedPollerConfig: {
      minimumPollers: connection?.minimumPollers ?? 1,
      ...(connection?.maximumPollers === undefined ? {} : { maximumPollers: connection.maximumPollers }),
    },
  };
}

function accessConfigurations({ authentication, vpc, vpcSubnets, securityGroup }: KafkaConnection) {
  const access: lambda.SourceAccessConfiguration[] = [];
  if (authentication !== undefined && authentication.kind !== "iam") {
    const { kind, secret, serverRootCaCertificate: ca } = authentication;
    access.push({ type: ACCESS[kind], uri: secret.secretArn });
    if (ca !== undefined)
      access.push({ type: lambda.SourceAccessConfigurationType.SERVER_ROOT_CA_CERTIFICATE, uri: ca.secretArn });
  }
  if (vpc !== undefined)
    for (const subnetId of vpc.selectSubnets(vpcSubnets).subnetIds)
      access.push({ type: lambda.SourceAccessConfigurationType.VPC_SUBNET, uri: `subnet:${subnetId}` });
  if (securityGroup !== undefined)
    access.push({
      type: lambda.SourceAccessConfigurationType.VPC_SECURITY_GROUP,
      uri: `security_group:${securityGroup.securityGroupId}`,
    });
  return access;
}

/** What Lambda's pollers do in the name of the function. Network interfaces have no resource to name. */
export function kafkaStatements(
  topic: string,
  { clusterArn, authentication, vpc, consumerGroupId }: KafkaConnection,
  queryName: string,
): readonly iam.PolicyStatement[] {
  const secrets =
    authentication === undefined || authentication.kind === "iam"
      ? []
      : [authentication.secret, authentication.serverRootCaCertificate].flatMap((secret) => secret?.secretArn ?? []);
  return [
    ...(clusterArn === undefined
      ? []
      : [
          new iam.PolicyStatement({
            actions: ["kafka:DescribeCluster", "kafka:DescribeClusterV2", "kafka:GetBootstrapBrokers"],
            resources: [clusterArn],
          }),
        ]),
    ...(clusterArn === undefined && vpc === undefined ? [] : [NETWORK]),
    ...(secrets.length === 0
      ? []
      : [new iam.PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: secrets })]),
    ...(clusterArn === undefined || authentication?.kind !== "iam"
      ? []
      : [readStatement(clusterArn, topic, consumerGroupId ?? queryName)]),
  ];
}

const NETWORK = new iam.PolicyStatement({
  actions: [
    "ec2:CreateNetworkInterface",
    "ec2:DeleteNetworkInterface",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeSecurityGroups",
    "ec2:DescribeSubnets",
    "ec2:DescribeVpcs",
  ],
  resources: ["*"],
});

/** `arn:…:cluster/NAME/UUID` names its topics `arn:…:topic/NAME/UUID/TOPIC`, its groups likewise. */
function readStatement(clusterArn: string, topic: string, group: string): iam.PolicyStatement {
  const path = clusterArn.slice(clusterArn.indexOf(":cluster/") + ":cluster/".length);
  const head = clusterArn.startsWith("arn:")
    ? clusterArn.slice(0, clusterArn.indexOf(":cluster/"))
    : `arn:${Aws.PARTITION}:kafka:${Aws.REGION}:${Aws.ACCOUNT_ID}`;
  return new iam.PolicyStatement({
    actions: [
      "kafka-cluster:Connect",
      "kafka-cluster:DescribeGroup",
      "kafka-cluster:AlterGroup",
      "kafka-cluster:DescribeTopic",
      "kafka-cluster:ReadData",
      "kafka-cluster:DescribeClusterDynamicConfiguration",
    ],
    resources: [clusterArn, `${head}:topic/${path}/${topic}`, `${head}:group/${path}/${group}`],
  });
}
