# Runs after every scenario. A template may bring its own.
