// The generated code of this target is internal, and exports the runtime to all its files, as that of Apollo iOS does. So
// there is no import here.

func isAbsent(_ text: GraphQLNullable<String>) -> Bool {
  if case .none = text { true } else { false }
}
