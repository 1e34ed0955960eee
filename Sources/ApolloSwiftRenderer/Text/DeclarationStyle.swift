/// What stands before declarations.
struct DeclarationStyle {
  let accessLevel: RenderingOptions.AccessLevel
  /// Before members: empty, or `public `.
  let access: String
  /// Before types.
  let type: String
  let isolation: String

  init(_ accessLevel: RenderingOptions.AccessLevel, _ options: RenderingOptions) {
    self.accessLevel = accessLevel
    access = accessLevel == .public ? "public " : ""
    isolation = options.marksTypesNonisolated ? "nonisolated " : ""
    type = isolation + access
  }
}
