public import ConvertEngine
public import ConvertProfiles
public import FoundationEssentials

// Programs show an error by its `localizedDescription`. Without these conformances it has only the name of the type.

extension ConversionError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension ProfileError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension ProfileFault: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension SerializationError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension SerializableError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension DateStrategyError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
