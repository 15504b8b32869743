{{/* How callers of a component authenticate. In: root, set */}}
{{- define "tetrad.authMode" -}}
{{- default .root.Values.auth.mode .set.authMode -}}
{{- end }}

{{/* Options of the port for clients. In: root, component, set; hosts — the option that lists names */}}
{{- define "tetrad.accessArgs" -}}
{{- $mode := include "tetrad.authMode" . -}}
{{- $name := printf "%s-%s" .root.Release.Name .component -}}
{{- $inNamespace := printf "%s.%s" $name .root.Release.Namespace -}}
{{- $service := printf "%s.svc" $inNamespace -}}
{{- $names := list "localhost" $name $inNamespace $service (printf "%s.%s" $service .root.Values.clusterDomain) -}}
- --http-listen-host=0.0.0.0
- {{ default "--host-allowlist" .hosts }}={{ join "," (concat $names .set.hosts) }}
{{- if eq $mode "insecure" }}
- --insecure
{{- else if eq $mode "tokens" }}
- --auth-jwt-key-file=/run/tokens/{{ .root.Values.auth.jwtKey.key }}
{{- with .root.Values.auth.issuer }}
- --auth-jwt-issuer={{ . }}
{{- end }}
{{- with .root.Values.auth.audience }}
- --auth-jwt-audience={{ . }}
{{- end }}
{{- else if not .set.tls.secret }}
{{- fail (printf "%s: clientCertificates need tls.secret with tls.crt, tls.key and ca.crt" .component) }}
{{- end }}
{{- if .set.tls.secret }}
- --tls-cert-file=/run/tls/tls.crt
- --tls-key-file=/run/tls/tls.key
{{- if eq $mode "clientCertificates" }}
- --tls-client-ca-file=/run/tls/ca.crt
{{- end }}
{{- end }}
{{- end }}

{{/* In: root, set */}}
{{- define "tetrad.accessMounts" -}}
{{- if eq (include "tetrad.authMode" .) "tokens" }}
- { name: tokens, mountPath: /run/tokens, readOnly: true }
{{- end }}
{{- if .set.tls.secret }}
- { name: tls, mountPath: /run/tls, readOnly: true }
{{- end }}
{{- end }}

{{/* In: root, set */}}
{{- define "tetrad.accessVolumes" -}}
{{- if eq (include "tetrad.authMode" .) "tokens" }}
{{ include "tetrad.secretVolume" (dict "name" "tokens" "secret" .root.Values.auth.jwtKey.secret) }}
{{- end }}
{{- with .set.tls.secret }}
{{ include "tetrad.secretVolume" (dict "name" "tls" "secret" .) }}
{{- end }}
{{- end }}

{{/* Whether services of this release can call its nodes. In: root; option; token, certificate — whether they can show one */}}
{{- define "tetrad.requireNodes" -}}
{{- $mode := include "tetrad.authMode" (dict "root" .root "set" .root.Values.nodes) -}}
{{- if or (and (eq $mode "tokens") (not .token)) (and (eq $mode "clientCertificates") (not .certificate)) -}}
{{- fail (printf "%s: the nodes ask callers for %s, which it does not have; name another client of the chain" .option $mode) -}}
{{- end -}}
{{- end }}
