/** The part of the API of Kubernetes (apps/v1, v1) that deploy/kubernetes.yaml uses, as JSON Schema. */

const string = { type: 'string', minLength: 1 };
const port = { type: 'integer', minimum: 1, maximum: 65_535 };
const seconds = { type: 'integer', minimum: 1 };
const name = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$' };
const labels = { type: 'object', additionalProperties: string, minProperties: 1 };
/** Requests and limits: cores, or bytes with a suffix. */
const quantity = { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?(m|Ki|Mi|Gi)?$' };

/** Returns a schema of objects without other members. */
function object(properties: Readonly<Record<string, object>>, required: readonly string[] = []) {
  return { type: 'object', additionalProperties: false, properties, required };
}

const list = (items: object) => ({ type: 'array', items, minItems: 1 });
const metadata = object({ name, labels });

const probe = object(
  {
    httpGet: object({ path: { type: 'string', pattern: '^/' }, port: { anyOf: [name, port] } }, ['port']),
    periodSeconds: seconds,
    failureThreshold: seconds,
  },
  ['httpGet'],
);

const container = object(
  {
    name,
    image: string,
    env: list(object({ name: string, value: { type: 'string' } }, ['name', 'value'])),
    envFrom: list(object({ secretRef: object({ name }, ['name']) }, ['secretRef'])),
    ports: list(object({ name, containerPort: port }, ['containerPort'])),
    readinessProbe: probe,
    livenessProbe: probe,
    startupProbe: probe,
    resources: object({
      requests: object({ cpu: quantity, memory: quantity }),
      limits: object({ cpu: quantity, memory: quantity }),
    }),
    securityContext: object({
      allowPrivilegeEscalation: { type: 'boolean' },
      readOnlyRootFilesystem: { type: 'boolean' },
      capabilities: object({ drop: list(string) }),
    }),
    volumeMounts: list(object({ name, mountPath: { type: 'string', pattern: '^/' } }, ['name', 'mountPath'])),
  },
  ['name', 'image'],
);

const pod = object(
  {
    automountServiceAccountToken: { type: 'boolean' },
    terminationGracePeriodSeconds: { type: 'integer', minimum: 0 },
    securityContext: object({
      runAsNonRoot: { type: 'boolean' },
      runAsUser: { type: 'integer' },
      seccompProfile: object({ type: { enum: ['RuntimeDefault', 'Localhost', 'Unconfined'] } }, ['type']),
    }),
    containers: list(container),
    volumes: list(object({ name, emptyDir: object({}) }, ['name'])),
  },
  ['containers'],
);

const surge = {
  anyOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', pattern: '^[0-9]+%$' },
  ],
};

const deployment = object(
  {
    apiVersion: { const: 'apps/v1' },
    kind: { const: 'Deployment' },
    metadata,
    spec: object(
      {
        replicas: { type: 'integer', minimum: 0 },
        selector: object({ matchLabels: labels }, ['matchLabels']),
        strategy: object({
          type: { enum: ['RollingUpdate', 'Recreate'] },
          rollingUpdate: object({ maxSurge: surge, maxUnavailable: surge }),
        }),
        template: object({ metadata, spec: pod }, ['metadata', 'spec']),
      },
      ['selector', 'template'],
    ),
  },
  ['apiVersion', 'kind', 'metadata', 'spec'],
);

const service = object(
  {
    apiVersion: { const: 'v1' },
    kind: { const: 'Service' },
    metadata,
    spec: object(
      {
        selector: labels,
        ports: list(object({ name, port, targetPort: { anyOf: [name, port] } }, ['port'])),
      },
      ['ports'],
    ),
  },
  ['apiVersion', 'kind', 'metadata', 'spec'],
);

/** Each document of the file, by its kind. */
export const KUBERNETES_SCHEMAS: Readonly<Record<string, object>> = {
  Deployment: deployment,
  Service: service,
};
