# An index for newcomers; .ci/run is what has to hold.
.PHONY: test lint update fuzz bench ci

test: ; scripts/test
lint: ; .ci/run format vet staticcheck
update: ; for p in $$(grep -rl --include='*_test.go' 'flag.Bool("update"' . | xargs -n1 dirname | sort -u); do go test "$$p" -update || exit 1; done
fuzz: ; FUZZTIME=2m .ci/run fuzz
bench: ; go test ./internal/pipeline -run '^$$' -bench . -benchmem
ci: ; .ci/run
