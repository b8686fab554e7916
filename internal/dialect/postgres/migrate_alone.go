package postgres

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/source"
)

// online tells whether a statement asks for a form that lets others go on.
func online(node *pg.Node) bool {
	switch n := node.GetNode().(type) {
	case *pg.Node_IndexStmt:
		return n.IndexStmt.GetConcurrent()
	case *pg.Node_DropStmt:
		return n.DropStmt.GetConcurrent()
	case *pg.Node_ReindexStmt:
		return chosen(n.ReindexStmt.GetParams(), "concurrently")
	case *pg.Node_RefreshMatViewStmt:
		return n.RefreshMatViewStmt.GetConcurrent()
	case *pg.Node_AlterTableStmt:
		return onlineAlter(n.AlterTableStmt)
	}
	return false
}

// onlineAlter tells whether all that an ALTER TABLE does is done in such a form.
func onlineAlter(n *pg.AlterTableStmt) bool {
	for _, node := range n.GetCmds() {
		cmd := node.GetAlterTableCmd()
		k := cmd.GetDef().GetConstraint()
		switch cmd.GetSubtype() {
		case pg.AlterTableType_AT_ValidateConstraint, pg.AlterTableType_AT_DetachPartitionFinalize:
		case pg.AlterTableType_AT_DetachPartition:
			if !cmd.GetDef().GetPartitionCmd().GetConcurrent() {
				return false
			}
		case pg.AlterTableType_AT_AddConstraint:
			if !k.GetSkipValidation() && k.GetIndexname() == "" {
				return false
			}
		default:
			return false
		}
	}
	return len(n.GetCmds()) > 0
}

// chosen tells whether a list of options has one that is on.
func chosen(list []*pg.Node, name string) bool {
	on := false
	for _, node := range list {
		if d := node.GetDefElem(); d.GetDefname() == name {
			on = isOn(d)
		}
	}
	return on
}

// alone says why no transaction may be open when a statement runs (PostgreSQL 15: the callers of PreventInTransactionBlock); empty if
// one may.
func alone(node *pg.Node) string {
	what := ""
	switch n := node.GetNode().(type) {
	case *pg.Node_IndexStmt:
		if n.IndexStmt.GetConcurrent() {
			what = "CREATE INDEX CONCURRENTLY"
		}
	case *pg.Node_DropStmt:
		if n.DropStmt.GetConcurrent() {
			what = "DROP INDEX CONCURRENTLY"
		}
	case *pg.Node_ReindexStmt:
		what = aloneReindex(n.ReindexStmt)
	case *pg.Node_VacuumStmt:
		if n.VacuumStmt.GetIsVacuumcmd() {
			what = "VACUUM"
		}
	case *pg.Node_ClusterStmt:
		if n.ClusterStmt.GetRelation() == nil {
			what = "CLUSTER of all tables"
		}
	case *pg.Node_AlterTableStmt:
		for _, cmd := range n.AlterTableStmt.GetCmds() {
			if cmd.GetAlterTableCmd().GetDef().GetPartitionCmd().GetConcurrent() {
				what = "ALTER TABLE … DETACH PARTITION CONCURRENTLY"
			}
		}
	case *pg.Node_DiscardStmt:
		if n.DiscardStmt.GetTarget() == pg.DiscardMode_DISCARD_ALL {
			what = "DISCARD ALL"
		}
	default:
		what = aloneCluster(node)
	}
	if what == "" {
		return ""
	}
	return what + " cannot run inside a transaction block"
}

// aloneCluster is what alone says of statements about databases, tablespaces, subscriptions and the server.
func aloneCluster(node *pg.Node) string {
	switch n := node.GetNode().(type) {
	case *pg.Node_CreatedbStmt:
		return "CREATE DATABASE"
	case *pg.Node_DropdbStmt:
		return "DROP DATABASE"
	case *pg.Node_AlterDatabaseStmt:
		for _, o := range n.AlterDatabaseStmt.GetOptions() {
			if o.GetDefElem().GetDefname() == "tablespace" {
				return "ALTER DATABASE … SET TABLESPACE"
			}
		}
	case *pg.Node_CreateTableSpaceStmt:
		return "CREATE TABLESPACE"
	case *pg.Node_DropTableSpaceStmt:
		return "DROP TABLESPACE"
	case *pg.Node_AlterSystemStmt:
		return "ALTER SYSTEM"
	case *pg.Node_CreateSubscriptionStmt:
		if enabled(n.CreateSubscriptionStmt.GetOptions(), "connect") && enabled(n.CreateSubscriptionStmt.GetOptions(), "create_slot") {
			return "CREATE SUBSCRIPTION that creates a slot"
		}
	case *pg.Node_AlterSubscriptionStmt:
		return aloneSubscription(n.AlterSubscriptionStmt)
	case *pg.Node_DropSubscriptionStmt:
		return "DROP SUBSCRIPTION that has a slot"
	}
	return ""
}

func aloneReindex(n *pg.ReindexStmt) string {
	if chosen(n.GetParams(), "concurrently") {
		return "REINDEX CONCURRENTLY"
	}
	switch n.GetKind() {
	case pg.ReindexObjectType_REINDEX_OBJECT_SCHEMA:
		return "REINDEX SCHEMA"
	case pg.ReindexObjectType_REINDEX_OBJECT_SYSTEM:
		return "REINDEX SYSTEM"
	case pg.ReindexObjectType_REINDEX_OBJECT_DATABASE:
		return "REINDEX DATABASE"
	}
	return ""
}

// aloneSubscription is about ALTER SUBSCRIPTION, which may not refresh in a transaction.
func aloneSubscription(n *pg.AlterSubscriptionStmt) string {
	switch n.GetKind() {
	case pg.AlterSubscriptionType_ALTER_SUBSCRIPTION_REFRESH:
		return "ALTER SUBSCRIPTION … REFRESH"
	case pg.AlterSubscriptionType_ALTER_SUBSCRIPTION_SET_PUBLICATION, pg.AlterSubscriptionType_ALTER_SUBSCRIPTION_ADD_PUBLICATION, pg.AlterSubscriptionType_ALTER_SUBSCRIPTION_DROP_PUBLICATION:
		if enabled(n.GetOptions(), "refresh") {
			return "ALTER SUBSCRIPTION with refresh"
		}
	}
	return ""
}

// enabled tells whether an option that is on by default is.
func enabled(list []*pg.Node, name string) bool {
	for _, node := range list {
		if d := node.GetDefElem(); d.GetDefname() == name {
			return isOn(d)
		}
	}
	return true
}

// AddsValue gives the value that a statement adds to a type, if it does that: until its transaction is committed, UsesValue tells of
// statements that fail.
func AddsValue(st *source.Statement) (value string, ok bool) {
	s, ok := st.Node.(*script.Statement)
	if !ok {
		return "", false
	}
	n := s.Node.GetAlterEnumStmt()
	return n.GetNewVal(), n != nil && n.GetOldVal() == ""
}

// UsesValue tells whether a statement has a value among its literals: one that was added in the same transaction cannot be used there.
// The text alone is looked at, so the literal may be one of another type.
func UsesValue(st *source.Statement, value string) bool {
	s, ok := st.Node.(*script.Statement)
	return ok && s.Node.GetAlterEnumStmt() == nil && strings.Contains(s.Text, script.Literal(value))
}
