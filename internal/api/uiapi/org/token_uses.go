package org

import (
	"github.com/tidemark-metrics/tidemark"
)

var verbs = map[tidemark.Action]string{
	tidemark.Manage: "managed", tidemark.Edit: "changed", tidemark.Record: "sent", tidemark.View: "read", tidemark.ViewMetrics: "read", tidemark.Comment: "changed",
}

func viewUses(uses []*tidemark.TokenUse) []useView {
	list := []useView{}
	for _, u := range uses {
		v := useView{Verb: verbs[u.Action], Noun: u.Noun, Requests: u.Requests, RefusedBy: []tidemark.Role{}}
		for _, role := range []tidemark.Role{tidemark.FullAccess, tidemark.RecordOnly, tidemark.ViewOnly} {
			if !role.Allows(u.Action) {
				v.RefusedBy = append(v.RefusedBy, role)
			}
		}
		list = append(list, v)
	}
	return list
}
