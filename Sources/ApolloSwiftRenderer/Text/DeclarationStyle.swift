/// The modifiers of declarations: access level and isolation.
struct DeclarationStyle {
  let accessLevel: RenderingOptions.AccessLevel
  /// The modifiers of members: empty, or `public `.
  let access: String
  /// The modifiers of types.
  let type: String
  let isolation: String

  init(_ accessLevel: RenderingOptions.AccessLevel, _ options: RenderingOptions) {
    self.accessLevel = accessLevel
    access = accessLevel == .public ? "public " : ""
    isolation = options.marksTypesNonisolated ? "nonisolated " : ""
    type = isolation + access
  }
}
