; Owns what electron-builder's NSIS installer leaves out: who is refused before anything is written, the scheme tillside://, and the entry for the
; start at sign-in, which the app makes and the uninstaller takes away. The MSI's counterpart is build/msi.ts.

!macro customHeader
  !ifndef BUILD_UNINSTALLER
    LangString notThisWindows ${LANG_ENGLISH} "Tillside needs Windows 10 or newer, 64 bit. Nothing on this computer has been changed."
    LangString notThisWindows ${LANG_PORTUGUESEBR} "O Tillside precisa do Windows 10 ou mais novo, de 64 bits. Nada foi alterado neste computador."
    LangString notThisWindows ${LANG_SPANISHINTERNATIONAL} "Tillside necesita Windows 10 o posterior, de 64 bits. No se ha cambiado nada en este equipo."
    LangString notThisProcessor ${LANG_ENGLISH} "This installer is for another kind of processor. On a computer with an ARM processor take the one whose name ends in arm64.exe, on any other the one that ends in x64.exe. Nothing has been changed."
    LangString notThisProcessor ${LANG_PORTUGUESEBR} "Este instalador é para outro tipo de processador. Em um computador com processador ARM use o que termina em arm64.exe, nos demais o que termina em x64.exe. Nada foi alterado."
    LangString notThisProcessor ${LANG_SPANISHINTERNATIONAL} "Este instalador es para otro tipo de procesador. En un equipo con procesador ARM use el que termina en arm64.exe, en los demás el que termina en x64.exe. No se ha cambiado nada."
  !endif
!macroend

; 1633: Windows' own code for an installer that this computer does not support. With /S nothing is shown, and the code tells.
!macro refuse WORDS
  MessageBox MB_OK|MB_ICONSTOP "${WORDS}" /SD IDOK
  SetErrorLevel 1633
  Quit
!macroend

!macro preInit
  !ifndef BUILD_UNINSTALLER
    ${IfNot} ${AtLeastWin10}
    ${OrIfNot} ${RunningX64}
      !insertmacro refuse "$(notThisWindows)"
    ${EndIf}
    !ifdef APP_ARM64
      ${IfNot} ${IsNativeARM64}
        !insertmacro refuse "$(notThisProcessor)"
      ${EndIf}
    !else
      ; Windows 11 (build 22000) runs programs for x64 on ARM, Windows 10 does not.
      ${If} ${IsNativeARM64}
        ${WinVerGetBuild} $0
        ${If} $0 < 22000
          !insertmacro refuse "$(notThisProcessor)"
        ${EndIf}
      ${EndIf}
    !endif
  !endif
!macroend

!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\tillside" "" "URL:Tillside"
  WriteRegStr SHELL_CONTEXT "Software\Classes\tillside" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\tillside\DefaultIcon" "" '"$appExe",0'
  ; After "--" nothing in a link is taken for a flag.
  WriteRegStr SHELL_CONTEXT "Software\Classes\tillside\shell\open\command" "" '"$appExe" -- "%1"'
!macroend

!macro customUnInstall
  ; A newer version runs this as well, before it puts itself in place: what a person has chosen stays then.
  ${IfNot} ${isUpdated}
    DeleteRegKey SHELL_CONTEXT "Software\Classes\tillside"
    ; As Electron names it (app.setLoginItemSettings): each user has an entry, and this user's can be reached.
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "electron.app.Tillside"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "electron.app.Tillside"
  ${EndIf}
!macroend
