package index_test

import (
	"testing"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
)

// BenchmarkAggregate asks realistic groupings: each anew, and as they are remembered.
func BenchmarkAggregate(b *testing.B) {
	c, s := market(), marketSnapshot()
	ask := func(before func()) []func() {
		return questions(200, func(g *generator) func() {
			q := randomAggregate(g, c.gps)
			return func() {
				before()
				_ = s.Aggregate(&q)
			}
		})
	}
	b.Run("anew", func(b *testing.B) { measure(b, ask(s.Forget)) })
	b.Run("remembered", func(b *testing.B) { measure(b, ask(func() {})) })
}

func BenchmarkRelated(b *testing.B) {
	c, s := market(), marketSnapshot()
	measure(b, questions(200, func(g *generator) func() {
		id, _ := s.FindGP(c.gps[g.IntN(len(c.gps))].CRD)
		factors := pick(g, allFactors, catalogapi.FactorStrategy|catalogapi.FactorAUMBand|catalogapi.FactorGeography, catalogapi.FactorGeography)
		return func() { _ = s.Related(id, factors, 10) }
	}))
}

// BenchmarkGroups asks for quartiles of cells: twelve strategies by the states, assets alone and all quantities, and vintages by
// strategy of all funds.
func BenchmarkGroups(b *testing.B) {
	s := marketSnapshot()
	for name, q := range map[string]index.GroupQuery{
		"assets":   {By: []index.Grouping{index.GroupStrategy, index.GroupState}, Quantities: []index.Quantity{index.QuantityAUM}},
		"growth":   {By: []index.Grouping{index.GroupStrategy, index.GroupState}, Quantities: []index.Quantity{index.QuantityGrowth1}},
		"all":      {By: []index.Grouping{index.GroupStrategy, index.GroupState}, Quantities: index.Quantities},
		"vintages": {By: []index.Grouping{index.GroupVintage, index.GroupStrategy}, Quantities: []index.Quantity{index.QuantityFundGAV}},
	} {
		q.Key = name
		b.Run(name, func(b *testing.B) {
			measure(b, []func(){func() {
				s.Forget()
				_ = s.Group(&q)
			}})
		})
	}
}
