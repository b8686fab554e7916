package builtin

import "strings"

// reaching are the built-in functions that change more than rows, sequences and settings, or run a text that they are given, beside those
// whose names begin with one of reachingPrefixes (PostgreSQL 15, chapters 9.27 and 35.4).
var reaching = func() map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(`pg_cancel_backend pg_terminate_backend pg_reload_conf pg_rotate_logfile pg_promote pg_switch_wal pg_create_restore_point
		pg_backup_start pg_backup_stop pg_start_backup pg_stop_backup pg_wal_replay_pause pg_wal_replay_resume pg_log_standby_snapshot
		pg_create_physical_replication_slot pg_create_logical_replication_slot pg_drop_replication_slot pg_copy_physical_replication_slot
		pg_copy_logical_replication_slot pg_replication_slot_advance pg_logical_slot_get_changes pg_logical_slot_get_binary_changes pg_logical_emit_message
		pg_import_system_collations pg_extension_config_dump pg_nextoid pg_stop_making_pinned_objects loread lowrite
		query_to_xml query_to_xmlschema query_to_xml_and_xmlschema cursor_to_xml cursor_to_xmlschema ts_stat ts_rewrite`) {
		set[name] = true
	}
	return set
}()

var reachingPrefixes = []string{"lo_", "pg_replication_origin_", "pg_stat_reset", "binary_upgrade_", "pg_file_"}

// Reaches tells whether a built-in function may do more than to read, to count and to set: lo_unlink, pg_terminate_backend.
func Reaches(name string) bool {
	for _, prefix := range reachingPrefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return reaching[name]
}

// PerRow tells whether all built-in functions of a name give one value for each row: none is an aggregate, and none gives rows.
func PerRow(name string) bool {
	all := facts().function(name)
	for _, f := range all {
		if f.kind != 'f' || f.set {
			return false
		}
	}
	return len(all) > 0
}
