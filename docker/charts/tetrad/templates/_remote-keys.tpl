{{/* Labels by which a cloud's webhook finds pods with workload identity. In: set */}}
{{- define "tetrad.remoteKeysLabels" -}}
{{- with .set.remoteKeys.podLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The account that key services know the pod by. In: root, component, set */}}
{{- define "tetrad.remoteKeysAccountName" -}}
{{- default (printf "%s-%s" .root.Release.Name .component) .set.remoteKeys.serviceAccount.name -}}
{{- end }}

{{/* Its pods take no token of Kubernetes: a webhook adds that of the key service. In: root, component, set */}}
{{- define "tetrad.remoteKeysPod" -}}
{{- $account := .set.remoteKeys.serviceAccount }}
{{- if or $account.create $account.name }}
serviceAccountName: {{ include "tetrad.remoteKeysAccountName" . }}
{{- end }}
{{- end }}

{{/* In: set */}}
{{- define "tetrad.remoteKeysMounts" -}}
{{- if .set.remoteKeys.secret }}
- { name: remote-keys, mountPath: /run/remote-keys, readOnly: true }
{{- end }}
{{- if .set.remoteKeys.filesSecret }}
- { name: remote-key-files, mountPath: /run/remote-key-files, readOnly: true }
{{- end }}
{{- if .set.remoteKeys.libraryVolume }}
- { name: pkcs11, mountPath: /opt/pkcs11, readOnly: true }
{{- end }}
{{- end }}

{{/* In: set */}}
{{- define "tetrad.remoteKeysVolumes" -}}
{{- with .set.remoteKeys.secret }}
{{ include "tetrad.secretVolume" (dict "name" "remote-keys" "secret" .) }}
{{- end }}
{{- with .set.remoteKeys.filesSecret }}
{{ include "tetrad.secretVolume" (dict "name" "remote-key-files" "secret" .) }}
{{- end }}
{{- with .set.remoteKeys.libraryVolume }}
- name: pkcs11
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
