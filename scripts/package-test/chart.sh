#!/usr/bin/env bash
# Renders the chart with several values and reads every object strictly, as
# Kubernetes would: no field it does not know, no wrong type.
set -euo pipefail
cd "$(dirname "$0")/../.."
helm=$PWD/.cache/bin/helm
[ -x "$helm" ] || GOBIN=$PWD/.cache/bin go install helm.sh/helm/v3/cmd/helm@v3.22.0
check() { (cd packaging/tools && go run ./manifests); }
chart=packaging/helm/tidemark
"$helm" lint --strict --quiet --kube-version 1.31.0 $chart
"$helm" template t $chart --kube-version 1.31.0 | check
"$helm" template t $chart --kube-version 1.31.0 --set ingress.enabled=true,ingress.className=nginx,ingress.tlsSecret=tls,serviceMonitor.enabled=true \
	--set existingSecret=secrets,persistence.storageClass=fast,priorityClassName=high --set 'env[0].name=A,env[0].value=b' --set 'podAnnotations.a=b' \
	--set 'settings.storage.memory=512MiB' --set 'nodeSelector.disk=ssd' --set 'imagePullSecrets[0].name=pull' | check
"$helm" template t $chart --kube-version 1.31.0 --set persistence.enabled=false | check
"$helm" template t $chart --kube-version 1.31.0 --values $chart/values-cluster.yaml --set settings.public_url=https://metrics.example.org | check
# What cannot work is refused, with the reason.
refused() {
	local want=$1 said
	shift
	if said=$("$helm" template t $chart --kube-version 1.31.0 "$@" 2>&1) || [[ $said != *"$want"* ]]; then
		echo "chart: $* gives: $said" >&2
		exit 1
	fi
}
refused "settings.engine: clickhouse" --set replicas=3
refused "secretsKey:" --set settings.engine=clickhouse
"$helm" template t $chart --kube-version 1.31.0 --set persistence.existingClaim=mine | check
check <packaging/kubernetes/tidemark.yaml
