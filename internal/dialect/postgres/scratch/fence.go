package scratch

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/proof"
)

// ruling is what becomes of a statement: it is run as text, or left out.
type ruling struct {
	text string
	out  bool
	why  reason // of a statement that is left out, or not run as it is
}

// judge decides about a statement of a side, or of a plan. The error is *proof.Unfit.
func (s *server) judge(text string, n *pg.Node, plan bool) (ruling, error) {
	if others(n) {
		return ruling{out: true, why: concernsOther}, nil
	}
	if !declares(n) && (!plan || !moves(n)) {
		return ruling{}, &proof.Unfit{Reason: fmt.Sprintf("statements such as %q are not run on a scratch server", proof.Excerpt(text))}
	}
	if why := s.reachesOut(n); why != "" {
		return ruling{}, &proof.Unfit{Reason: why}
	}
	if standing(n) {
		return ruling{out: true}, nil
	}
	missing := s.missing(n)
	if len(missing) == 0 {
		return ruling{text: text}, nil
	}
	switch n := n.GetNode().(type) {
	case *pg.Node_CreatePolicyStmt, *pg.Node_AlterPolicyStmt:
		return ruling{text: withOwnRole(text, missing), why: policyRoles}, nil
	case *pg.Node_AlterTableStmt:
		if len(n.AlterTableStmt.GetCmds()) > 1 {
			return ruling{}, &proof.Unfit{Reason: "the scratch server has no role " + missing[0].GetRolename()}
		}
	case *pg.Node_CreateSchemaStmt:
		return ruling{}, &proof.Unfit{Reason: "the scratch server has no role " + missing[0].GetRolename()}
	}
	return ruling{out: true, why: namesRoles}, nil
}

// declares tells whether a statement is of a kind that makes or changes an object of the database.
func declares(n *pg.Node) bool {
	switch n := n.GetNode().(type) {
	case *pg.Node_CreateStmt, *pg.Node_CreateForeignTableStmt, *pg.Node_AlterTableStmt, *pg.Node_IndexStmt, *pg.Node_ViewStmt, *pg.Node_RuleStmt,
		*pg.Node_CreateTrigStmt, *pg.Node_CreateFunctionStmt, *pg.Node_AlterFunctionStmt, *pg.Node_DefineStmt, *pg.Node_CreateEnumStmt,
		*pg.Node_CreateRangeStmt, *pg.Node_CompositeTypeStmt, *pg.Node_CreateDomainStmt, *pg.Node_AlterDomainStmt, *pg.Node_AlterEnumStmt,
		*pg.Node_AlterTypeStmt, *pg.Node_CreateSeqStmt, *pg.Node_AlterSeqStmt, *pg.Node_CreateSchemaStmt, *pg.Node_CreateExtensionStmt,
		*pg.Node_AlterExtensionStmt, *pg.Node_AlterExtensionContentsStmt, *pg.Node_CommentStmt, *pg.Node_GrantStmt,
		*pg.Node_AlterDefaultPrivilegesStmt, *pg.Node_AlterOwnerStmt, *pg.Node_CreatePolicyStmt, *pg.Node_AlterPolicyStmt,
		*pg.Node_CreateStatsStmt, *pg.Node_AlterStatsStmt, *pg.Node_CreatePublicationStmt, *pg.Node_AlterPublicationStmt,
		*pg.Node_CreateEventTrigStmt, *pg.Node_AlterEventTrigStmt, *pg.Node_CreateCastStmt, *pg.Node_CreateTransformStmt,
		*pg.Node_CreateConversionStmt, *pg.Node_CreateOpClassStmt, *pg.Node_CreateOpFamilyStmt, *pg.Node_AlterOpFamilyStmt,
		*pg.Node_AlterOperatorStmt, *pg.Node_AlterTsdictionaryStmt, *pg.Node_AlterTsconfigurationStmt, *pg.Node_CreateFdwStmt, *pg.Node_AlterFdwStmt,
		*pg.Node_CreateForeignServerStmt, *pg.Node_AlterForeignServerStmt, *pg.Node_CreateUserMappingStmt, *pg.Node_AlterUserMappingStmt,
		*pg.Node_DropUserMappingStmt, *pg.Node_CreateAmStmt, *pg.Node_CreatePlangStmt, *pg.Node_RenameStmt, *pg.Node_DropStmt,
		*pg.Node_AlterObjectSchemaStmt, *pg.Node_AlterObjectDependsStmt, *pg.Node_AlterCollationStmt:
		return true
	case *pg.Node_CreateTableAsStmt:
		return n.CreateTableAsStmt.GetObjtype() == pg.ObjectType_OBJECT_MATVIEW
	}
	return false
}

// moves tells whether a statement is of a kind that only a plan holds: what frames it, and what moves rows.
func moves(n *pg.Node) bool {
	switch n := n.GetNode().(type) {
	case *pg.Node_TransactionStmt, *pg.Node_SelectStmt, *pg.Node_InsertStmt, *pg.Node_UpdateStmt, *pg.Node_DeleteStmt, *pg.Node_RefreshMatViewStmt,
		*pg.Node_LockStmt, *pg.Node_ReindexStmt, *pg.Node_VacuumStmt, *pg.Node_ClusterStmt, *pg.Node_ConstraintsSetStmt:
		return true
	case *pg.Node_VariableSetStmt:
		name := n.VariableSetStmt.GetName()
		return name != "role" && name != "session_authorization" && name != "session_replication_role"
	case *pg.Node_DoStmt:
		return trusted(languageOf(n.DoStmt.GetArgs(), "plpgsql"))
	}
	return false
}

// global are the kinds of objects that belong to the server, or to another one.
var global = []pg.ObjectType{pg.ObjectType_OBJECT_DATABASE, pg.ObjectType_OBJECT_ROLE, pg.ObjectType_OBJECT_TABLESPACE,
	pg.ObjectType_OBJECT_PARAMETER_ACL, pg.ObjectType_OBJECT_SUBSCRIPTION, pg.ObjectType_OBJECT_LARGEOBJECT}

// others tells whether a statement is about something that is not in the database. Such ones are known, and harmless to leave out.
func others(n *pg.Node) bool {
	switch n := n.GetNode().(type) {
	case *pg.Node_CommentStmt:
		return slices.Contains(global, n.CommentStmt.GetObjtype())
	case *pg.Node_GrantStmt:
		return slices.Contains(global, n.GrantStmt.GetObjtype())
	case *pg.Node_AlterOwnerStmt:
		return slices.Contains(global, n.AlterOwnerStmt.GetObjectType())
	case *pg.Node_RenameStmt:
		return slices.Contains(global, n.RenameStmt.GetRenameType())
	case *pg.Node_DropStmt:
		return slices.Contains(global, n.DropStmt.GetRemoveType())
	case *pg.Node_CreateSubscriptionStmt, *pg.Node_AlterSubscriptionStmt, *pg.Node_DropSubscriptionStmt, *pg.Node_GrantRoleStmt, *pg.Node_CreateRoleStmt,
		*pg.Node_AlterRoleStmt, *pg.Node_AlterRoleSetStmt, *pg.Node_DropRoleStmt, *pg.Node_AlterDatabaseStmt, *pg.Node_AlterDatabaseSetStmt,
		*pg.Node_SecLabelStmt:
		return true
	}
	return false
}

// standing tells whether a statement makes, or comments on, what every database has from the start.
func standing(n *pg.Node) bool {
	switch n := n.GetNode().(type) {
	case *pg.Node_CreateSchemaStmt:
		return n.CreateSchemaStmt.GetSchemaname() == "public" && len(n.CreateSchemaStmt.GetSchemaElts()) == 0
	case *pg.Node_CreateExtensionStmt:
		return n.CreateExtensionStmt.GetExtname() == "plpgsql"
	case *pg.Node_CreatePlangStmt:
		return n.CreatePlangStmt.GetPlname() == "plpgsql"
	case *pg.Node_CommentStmt:
		return n.CommentStmt.GetObjtype() == pg.ObjectType_OBJECT_EXTENSION && n.CommentStmt.GetObject().GetString_().GetSval() == "plpgsql"
	}
	return false
}

// reachesOut says why a statement is not run: it would let a pull request do more than use the database. It is a clause.
func (s *server) reachesOut(n *pg.Node) string {
	switch n := n.GetNode().(type) {
	case *pg.Node_CreateFunctionStmt:
		if language := languageOf(n.CreateFunctionStmt.GetOptions(), "sql"); !trusted(language) {
			return fmt.Sprintf("functions in the language %s are not run on a scratch server, as they can reach outside the database", language)
		}
	case *pg.Node_CreatePlangStmt:
		if !trusted(n.CreatePlangStmt.GetPlname()) {
			return fmt.Sprintf("the language %s is not made on a scratch server", n.CreatePlangStmt.GetPlname())
		}
	}
	return ""
}

// trusted tells whether a language keeps its functions inside the database.
func trusted(language string) bool {
	return slices.Contains([]string{"sql", "plpgsql", "plperl", "pltcl", "plv8", "plls", "plcoffee"}, language)
}

// languageOf gives the language among the options of a function or a DO.
func languageOf(options []*pg.Node, otherwise string) string {
	for _, o := range options {
		if d := o.GetDefElem(); d.GetDefname() == "language" {
			return strings.ToLower(d.GetArg().GetString_().GetSval())
		}
	}
	return otherwise
}

// missing gives the roles that a statement names and that the server does not have. To own something, and to say what its objects
// are open to, takes a role that the session's may act for.
func (s *server) missing(n *pg.Node) []*pg.RoleSpec {
	var named []*pg.RoleSpec
	acts := false
	list := func(nodes []*pg.Node) {
		for _, n := range nodes {
			named = append(named, n.GetRoleSpec())
		}
	}
	switch n := n.GetNode().(type) {
	case *pg.Node_GrantStmt:
		list(n.GrantStmt.GetGrantees())
		named = append(named, n.GrantStmt.GetGrantor())
	case *pg.Node_AlterDefaultPrivilegesStmt:
		acts = true
		for _, o := range n.AlterDefaultPrivilegesStmt.GetOptions() {
			if o.GetDefElem().GetDefname() == "roles" {
				list(o.GetDefElem().GetArg().GetList().GetItems())
			}
		}
		list(n.AlterDefaultPrivilegesStmt.GetAction().GetGrantees())
	case *pg.Node_AlterOwnerStmt:
		acts = true
		named = append(named, n.AlterOwnerStmt.GetNewowner())
	case *pg.Node_AlterTableStmt:
		acts = true
		for _, c := range n.AlterTableStmt.GetCmds() {
			named = append(named, c.GetAlterTableCmd().GetNewowner())
		}
	case *pg.Node_CreatePolicyStmt:
		list(n.CreatePolicyStmt.GetRoles())
	case *pg.Node_AlterPolicyStmt:
		list(n.AlterPolicyStmt.GetRoles())
	case *pg.Node_CreateSchemaStmt:
		acts = true
		named = append(named, n.CreateSchemaStmt.GetAuthrole())
	case *pg.Node_CreateUserMappingStmt:
		named = append(named, n.CreateUserMappingStmt.GetUser())
	case *pg.Node_AlterUserMappingStmt:
		named = append(named, n.AlterUserMappingStmt.GetUser())
	case *pg.Node_DropUserMappingStmt:
		named = append(named, n.DropUserMappingStmt.GetUser())
	}
	return slices.DeleteFunc(named, func(r *pg.RoleSpec) bool {
		may, there := s.roles[r.GetRolename()]
		return r.GetRoletype() != pg.RoleSpecType_ROLESPEC_CSTRING || there && (may || !acts)
	})
}

// withOwnRole puts the session's role in the place of others. Both sides and the plan are changed alike, so that they still meet.
func withOwnRole(text string, roles []*pg.RoleSpec) string {
	roles = slices.Clone(roles)
	sort.Slice(roles, func(i, j int) bool { return roles[i].GetLocation() > roles[j].GetLocation() })
	for _, r := range roles {
		at := int(r.GetLocation())
		for _, written := range []string{script.Quote(r.GetRolename()), `"` + strings.ReplaceAll(r.GetRolename(), `"`, `""`) + `"`} {
			if at >= 0 && at+len(written) <= len(text) && strings.EqualFold(text[at:at+len(written)], written) {
				text = text[:at] + "CURRENT_USER" + text[at+len(written):]
				break
			}
		}
	}
	return text
}
