{{/* In: root, component */}}
{{- define "tetrad.selector" -}}
app.kubernetes.io/name: tetrad
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* In: root, component */}}
{{- define "tetrad.labels" -}}
{{ include "tetrad.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/* The image of a service. In: root, service, image — what the component overrides */}}
{{- define "tetrad.image" -}}
{{- $shared := .root.Values.image -}}
{{- $path := default (printf "%s/%s" $shared.repository .service) .image.repository -}}
{{- $tag := coalesce .image.tag $shared.tag (index .root.Chart.Annotations (printf "tetrad/%s" .service)) -}}
{{- with $shared.registry }}{{ . }}/{{ end }}{{ $path }}:{{ $tag }}
{{- end }}

{{/* The name under which all pods of the release find a pod of the nodes. In: root, pod */}}
{{- define "tetrad.nodeHost" -}}
{{ .pod }}.{{ .root.Release.Name }}-peers.{{ .root.Release.Namespace }}.svc.{{ .root.Values.clusterDomain }}
{{- end }}

{{/* The validators of the network: those of the release, unless it is a part. Fails for two, which stop when either does. */}}
{{- define "tetrad.validators" -}}
{{- $all := max (int .Values.nodes.count) (int .Values.nodes.validators) -}}
{{- if eq (int $all) 2 -}}
{{- fail "nodes.count: of two validators both must always be up, and no host can be drained; take 1, or 3 and more (nodes.validators says how many the whole network has)" -}}
{{- end -}}
{{ $all }}
{{- end }}

{{/* Of N validators as many as must be up for a block: ceil(2N/3). */}}
{{- define "tetrad.quorum" -}}
{{ div (add (mul 2 (include "tetrad.validators" . | int)) 2) 3 }}
{{- end }}

{{/* Sizes as an option takes them. In: the values of the rollup. Numbers of values come as floating point. */}}
{{- define "tetrad.batchSizes" -}}
{{- $sizes := list }}
{{- range .batchSizes }}{{- $sizes = append $sizes (printf "%d" (int .)) }}{{- end }}
{{- join "," $sizes }}
{{- end }}

{{/* Fails for sizes that the points of the image do not prove. In: the values of the rollup */}}
{{- define "tetrad.requirePoints" -}}
{{- $points := .points }}
{{- range .batchSizes }}
{{- if and (gt (int .) 2) (not $points.claim) }}
{{- fail (printf "rollup.points.claim: batches of %d need more proving points than the image has" (int .)) }}
{{- end }}
{{- end }}
{{- end }}
