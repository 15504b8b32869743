{{/* What is the same in every pod. In: root, component; spread — false for jobs */}}
{{- define "tetrad.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- $grace := int .root.Values.terminationGracePeriodSeconds }}
{{- $pause := int .root.Values.rollout.preStopSeconds }}
{{- if le $grace (add $pause 10) }}
{{- fail (printf "terminationGracePeriodSeconds: %d leave no time for a stop of ten seconds after rollout.preStopSeconds, %d" $grace $pause) }}
{{- end }}
terminationGracePeriodSeconds: {{ $grace }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- $spread := .root.Values.topologySpread }}
{{- if and $spread.enabled (ne .spread false) }}
topologySpreadConstraints:
  {{- range $spread.keys }}
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: {{ $spread.whenUnsatisfiable }}
    labelSelector:
      matchLabels: {{- include "tetrad.selector" $ | nindent 8 }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Image and rights of a container. In: root, service, image */}}
{{- define "tetrad.container" -}}
image: {{ include "tetrad.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/*
In: root; port — name of the operations port; readiness — path of the question, by default that of a pod. A service waits up
to five minutes for its database. The pause before a stop lets Services and load balancers send their calls elsewhere first.
*/}}
{{- define "tetrad.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: {{ .port }} }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 72
livenessProbe:
  httpGet: { path: /livez, port: {{ .port }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: {{ default "/readyz/pod" .readiness }}, port: {{ .port }} }
  periodSeconds: 5
  timeoutSeconds: 5
{{- with .root.Values.rollout.preStopSeconds }}
lifecycle:
  preStop:
    exec: { command: [sleep, {{ . | quote }}] }
{{- end }}
{{- end }}

{{/* A variable with the URL of a database. In: name, secret, key */}}
{{- define "tetrad.databaseUrl" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ .secret }}, key: {{ .key }} }
{{- end }}

{{/* In: name, secret. Readable for the group of the pod. */}}
{{- define "tetrad.secretVolume" -}}
- name: {{ .name }}
  secret: { secretName: {{ .secret }}, defaultMode: 288 }
{{- end }}

{{/* Where traces go; nothing without an endpoint. In: the root */}}
{{- define "tetrad.tracingArgs" -}}
{{- with .Values.tracing.endpoint }}
- --tracing-endpoint={{ . }}
- --tracing-sample-ratio={{ $.Values.tracing.sampleRatio }}
{{- end }}
{{- end }}

{{/* The variable by which Node.js trusts further authorities. In: the root */}}
{{- define "tetrad.trustEnv" -}}
{{- with .Values.trustedAuthorities }}
{{- if .configMap }}
- { name: NODE_EXTRA_CA_CERTS, value: /run/trust/{{ .key }} }
{{- end }}
{{- end }}
{{- end }}

{{/* In: the root */}}
{{- define "tetrad.trustMount" -}}
{{- if .Values.trustedAuthorities.configMap }}
- { name: trust, mountPath: /run/trust, readOnly: true }
{{- end }}
{{- end }}

{{/* In: the root */}}
{{- define "tetrad.trustVolume" -}}
{{- with .Values.trustedAuthorities.configMap }}
- { name: trust, configMap: { name: {{ . }} } }
{{- end }}
{{- end }}
