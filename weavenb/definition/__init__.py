"""How the graph is declared: state, nodes, edges, rules, and the frozen definition they become."""
