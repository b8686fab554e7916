# An index for newcomers; .ci/run is what has to hold.
.PHONY: test engines lint update fuzz bench release ci

test: ; scripts/test
engines: ; scripts/engines
lint: ; .ci/run format vet staticcheck
update: ; scripts/engines sh -c 'for p in $$(grep -rl --include="*_test.go" "flag.Bool(\"update\"" . | xargs -n1 dirname | sort -u); do go test -tags pgquery_cgo "$$p" -update || exit 1; done'
fuzz: ; FUZZTIME=2m .ci/run fuzz
bench: ; go test -tags pgquery_cgo ./internal/pipeline ./internal/dialect/postgres ./internal/dialect/mysql -run '^$$' -bench . -benchmem -timeout 30m
release: ; scripts/build-release bin
ci: ; .ci/run
